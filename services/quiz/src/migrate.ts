import { runMigration } from '@gradeway/shared/database/runMigration';

await runMigration('quiz', new URL('../migrations/', import.meta.url));
