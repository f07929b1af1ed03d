import { replayDeadLetters } from '@gradeway/shared/replayDeadLetters';
import { settings } from './config.ts';

await replayDeadLetters(['quiz'], settings);
