import { openMigrationDatabase } from '@gradeway/shared/database/connection';
import { migrate } from '@gradeway/shared/database/migrate';
import { createLogger } from '@gradeway/shared/process/logger';
import type { TestDatabase } from './testDatabase.ts';

/** Creates the tables of a service without starting it. */
export async function migrateSchema(
  database: TestDatabase,
  service: 'auth' | 'courses' | 'homework' | 'quiz',
): Promise<void> {
  const sequelize = openMigrationDatabase({ url: database.url(service), name: 'test' });
  const folder = new URL(`../../services/${service}/migrations/`, import.meta.url);
  await migrate(sequelize, folder, createLogger('test', 'silent')).finally(() => sequelize.close());
}
