import { runMigration } from '@gradeway/shared/database/runMigration';

await runMigration('homework', new URL('../migrations/', import.meta.url));
