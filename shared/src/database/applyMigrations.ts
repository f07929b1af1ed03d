import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sequelize } from 'sequelize';
import { SequelizeStorage, Umzug } from 'umzug';
import type { Logger } from '../process/logger.ts';
import { query } from './query.ts';
import { readMigration } from './readMigration.ts';
import { runMigration } from './runMigration.ts';

// Longer than any index takes to build (openMigrationDatabase).
const lockWaitMs = 3_600_000;
const lockPauseMs = 250;

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
      resolve: ({ name, path = '' }) => ({
        name,
        up: async () => runMigration(sequelize, await readMigration(path), log),
      }),
    },
  });

  const endsAt = Date.now() + lockWaitMs;
  const apply = () =>
    sequelize.transaction(async (transaction) => {
      // This transaction only holds the lock. The migrations run on the other connection.
      const sql = 'SET LOCAL idle_in_transaction_session_timeout = 0';
      await query(sequelize, { sql, transaction });
      // A statement that waited for the lock would hold a snapshot, and the lock's holder may be building an index
      // CONCURRENTLY, which waits for all older snapshots.
      const [{ isLocked } = { isLocked: false }] = await query<{ isLocked: boolean }>(sequelize, {
        sql: `SELECT pg_try_advisory_xact_lock(hashtext('migrate ' || current_schema())) AS "isLocked"`,
        transaction,
      });
      if (!isLocked) return false;
      const done = await umzug.up(only ? { migrations: only, rerun: 'SKIP' } : {});
      for (const { name } of done) log.info({ migration: name }, 'migrated');
      return true;
    });
  while (!(await apply())) {
    if (Date.now() > endsAt) throw new Error('another process has been migrating the schema for an hour');
    await sleep(lockPauseMs);
  }
}
