import { migrateCommand } from '@gradeway/shared/database/migrateCommand';
import { replayDeadLettersCommand } from '@gradeway/shared/events/replayDeadLettersCommand';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { countExpired } from './commands/countExpired.ts';
import { reencryptSecondFactors } from './commands/reencryptSecondFactors.ts';
import { rotateKeys } from './commands/rotateKeys.ts';
import { settings } from './config.ts';

await runCommand({
  migrate: migrateCommand('auth', new URL('../migrations/', import.meta.url)),
  replayDeadLetters: replayDeadLettersCommand(['auth'], settings),
  countExpired,
  rotateKeys,
  reencryptSecondFactors,
});
