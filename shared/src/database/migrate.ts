import { fileURLToPath } from 'node:url';
import type { Sequelize } from 'sequelize';
import { SequelizeStorage, Umzug } from 'umzug';
import type { Logger } from '../process/logger.ts';
import { readMigration } from './readMigration.ts';

/**
 * Brings a schema up to date with the numbered `.sql` files of a folder, each in a transaction of its own.
 * However many processes do this at once, one works and the others wait for it, up to ten minutes.
 * @param sequelize from `openDatabaseToMigrate`: another would give up waiting for the answer
 */
export async function migrate(sequelize: Sequelize, folder: URL, log: Logger): Promise<void> {
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
    // The lock lives as long as this transaction, which does nothing else; the work has connections of its own.
    await sequelize.query(
      "SET LOCAL lock_timeout = '600s'; SET LOCAL statement_timeout = '600s'; SET LOCAL idle_in_transaction_session_timeout = 0",
      { transaction },
    );
    await sequelize.query("SELECT pg_advisory_xact_lock(hashtext('migrate ' || current_schema()))", {
      transaction,
    });
    const done = await umzug.up();
    for (const { name } of done) log.info({ migration: name }, 'migrated');
  });
}

async function runFile(sequelize: Sequelize, path: string): Promise<void> {
  const sql = await readMigration(path);
  await sequelize.transaction(async (transaction) => {
    await sequelize.query("SET LOCAL statement_timeout = '600s'", { transaction });
    await sequelize.query(sql, { transaction });
  });
}
