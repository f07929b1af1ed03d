import { runMigration } from '@gradeway/shared/database/runMigration';

await runMigration('courses', new URL('../migrations/', import.meta.url));
