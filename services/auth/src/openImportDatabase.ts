import { openDatabase } from '@gradeway/shared/database/connection';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import type { Sequelize } from 'sequelize';

/**
 * Opens the connections for imports. A statement over thousands of accounts can exceed the timeout of other requests
 * and must not occupy their connections.
 */
export function openImportDatabase({
  config,
  onStop,
}: ProcessContext<{ databaseUrl: string; databaseWait: number }>): Sequelize {
  const database = openDatabase({
    url: config.databaseUrl,
    name: 'auth import',
    pool: 3,
    // Shorter than the deadline of calls from courses.
    statementTimeoutMs: 25_000,
    waitMs: config.databaseWait,
  });
  onStop('the connections of imports', () => database.close());
  return database;
}
