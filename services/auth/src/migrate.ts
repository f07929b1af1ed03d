import { runMigration } from '@gradeway/shared/runMigration';

await runMigration('auth', new URL('../migrations/', import.meta.url));
