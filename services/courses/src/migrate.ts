import { runMigration } from '@gradeway/shared/runMigration';

await runMigration('courses', new URL('../migrations/', import.meta.url));
