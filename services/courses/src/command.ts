import { migrateCommand } from '@gradeway/shared/database/migrateCommand';
import { replayDeadLettersCommand } from '@gradeway/shared/events/replayDeadLettersCommand';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { rebuildProjections } from './commands/rebuildProjections.ts';
import { reencryptWebhooks } from './commands/reencryptWebhooks.ts';
import { settings } from './config.ts';

await runCommand({
  migrate: migrateCommand('courses', new URL('../migrations/', import.meta.url)),
  replayDeadLetters: replayDeadLettersCommand(['courses', 'courses-webhooks', 'courses-mail'], settings),
  rebuildProjections,
  reencryptWebhooks,
});
