import { migrateCommand } from '@gradeway/shared/database/migrateCommand';
import { replayDeadLettersCommand } from '@gradeway/shared/events/replayDeadLettersCommand';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { countExpiredCommand } from '@gradeway/shared/retention/countExpiredCommand';
import { rebuildProjections } from './commands/rebuildProjections.ts';
import { settings } from './config.ts';
import { retentionQueries } from './data/retentionQueries.ts';

await runCommand({
  migrate: migrateCommand('homework', new URL('../migrations/', import.meta.url)),
  replayDeadLetters: replayDeadLettersCommand(['homework'], settings),
  countExpired: countExpiredCommand('homework', settings, retentionQueries),
  rebuildProjections,
});
