import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sequelize } from 'sequelize';
import { SequelizeStorage, Umzug } from 'umzug';
import type { Logger } from '../process/logger.ts';
import { isConnectionFailure } from './errors.ts';
import { readMigration } from './readMigration.ts';

// Rather than exit and be restarted, a process waits for a database that is starting, or busy with many other processes.
const startWaitMs = 30_000;
const startPauseMs = 500;

/**
 * Applies the numbered `.sql` files of a folder that the schema does not have yet, each in its own transaction. Several
 * processes may call this at the same time: one migrates, the others wait for it, up to ten minutes. It
 * waits up to 30 s for an unreachable database.
 * @param sequelize from `openMigrationDatabase`, because the query timeout of `openDatabase` is too short
 * @param only the names of the files to apply, in their order, to bring back the schema of an older version
 */
export async function migrate(
  sequelize: Sequelize,
  folder: URL,
  log: Logger,
  { only }: { only?: string[] } = {},
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

  await waitForDatabase(sequelize, log);
  await sequelize.transaction(async (transaction) => {
    // This transaction only holds the lock. The migrations run on the other connection.
    await sequelize.query(
      "SET LOCAL lock_timeout = '600s'; SET LOCAL statement_timeout = '600s'; SET LOCAL idle_in_transaction_session_timeout = 0",
      { transaction },
    );
    await sequelize.query("SELECT pg_advisory_xact_lock(hashtext('migrate ' || current_schema()))", {
      transaction,
    });
    const done = await umzug.up(only ? { migrations: only, rerun: 'SKIP' } : {});
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

async function waitForDatabase(sequelize: Sequelize, log: Logger): Promise<void> {
  const endsAt = Date.now() + startWaitMs;
  for (;;) {
    try {
      await sequelize.query('SELECT 1');
      return;
    } catch (error) {
      if (!isConnectionFailure(error) || Date.now() > endsAt) throw error;
      log.warn({ err: error }, 'waiting for the database');
      await sleep(startPauseMs);
    }
  }
}
