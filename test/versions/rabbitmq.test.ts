import { describeUpdateAndRollback } from './updateAndRollback.ts';

describeUpdateAndRollback('RabbitMQ');
