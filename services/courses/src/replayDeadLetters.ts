import { replayDeadLetters } from '@gradeway/shared/replayDeadLetters';
import { settings } from './config.ts';

await replayDeadLetters(['courses', 'courses-webhooks'], settings);
