import { runMigration } from '@gradeway/shared/database/runMigration';

await runMigration('auth', new URL('../migrations/', import.meta.url));
