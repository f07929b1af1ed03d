import { fileURLToPath } from 'node:url';
import type { Sequelize } from 'sequelize';
import { SequelizeStorage, Umzug } from 'umzug';
import type { Logger } from '../process/logger.ts';
import { query } from './query.ts';
import { readMigration } from './readMigration.ts';

/** Applies the migrations in a folder that the schema lacks, under a lock ({@link migrate}). */
export async function applyMigrations(
  sequelize: Sequelize,
  folder: URL,
  log: Logger,
  only?: string[],
): Promise<void> {
  const umzug = new Umzug({
    context: sequelize,
    logger: undefined,
    storage: new SequelizeStorage({ sequelize, tableName: 'migrations' }),
    migrations: {
      glob: ['*.sql', { cwd: fileURLToPath(folder) }],
      resolve: ({ name, path }) => ({ name, up: () => runFile(sequelize, path ?? '') }),
    },
  });

  await sequelize.transaction(async (transaction) => {
    // This transaction only holds the lock. The migrations run on the other connection.
    await query(sequelize, {
      sql: "SET LOCAL lock_timeout = '600s'; SET LOCAL statement_timeout = '600s'; SET LOCAL idle_in_transaction_session_timeout = 0",
      transaction,
    });
    await query(sequelize, {
      sql: "SELECT pg_advisory_xact_lock(hashtext('migrate ' || current_schema()))",
      transaction,
    });
    const done = await umzug.up(only ? { migrations: only, rerun: 'SKIP' } : {});
    for (const { name } of done) log.info({ migration: name }, 'migrated');
  });
}

async function runFile(sequelize: Sequelize, path: string): Promise<void> {
  const sql = await readMigration(path);
  await sequelize.transaction(async (transaction) => {
    await query(sequelize, { sql: "SET LOCAL statement_timeout = '600s'", transaction });
    await query(sequelize, { sql, transaction });
  });
}
