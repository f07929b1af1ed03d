import { describeUpdateAndRollback } from './updateAndRollback.ts';

describeUpdateAndRollback('embedded');
