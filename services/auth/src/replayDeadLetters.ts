import { replayDeadLetters } from '@gradeway/shared/events/replayDeadLetters';
import { settings } from './config.ts';

await replayDeadLetters(['auth'], settings);
