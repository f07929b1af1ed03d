import { runMigration } from '@gradeway/shared/runMigration';

await runMigration('quiz', new URL('../migrations/', import.meta.url));
