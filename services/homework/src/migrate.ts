import { runMigration } from '@gradeway/shared/runMigration';

await runMigration('homework', new URL('../migrations/', import.meta.url));
