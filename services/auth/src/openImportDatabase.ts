import { openDatabase } from '@gradeway/shared/database/connection';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import type { Sequelize } from 'sequelize';

/**
 * Opens the connections of imports. A statement over thousands of accounts may take longer than other requests may wait,
 * and long statements must not occupy the connections of those requests.
 */
export function openImportDatabase({
  config,
  onStop,
}: ProcessContext<{ databaseUrl: string; databaseWait: number }>): Sequelize {
  const database = openDatabase({
    url: config.databaseUrl,
    name: 'auth import',
    pool: 3,
    // Below the deadline of the calls of courses.
    statementTimeoutMs: 25_000,
    waitMs: config.databaseWait,
  });
  onStop('the connections of imports', () => database.close());
  return database;
}
