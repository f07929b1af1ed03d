import { setTimeout as sleep } from 'node:timers/promises';
import type { Sequelize } from 'sequelize';
import type { Logger } from '../process/logger.ts';
import { isLockTimeout, isTransactionConflict } from './errors.ts';
import { query } from './query.ts';
import type { Migration } from './readMigration.ts';

// A statement that waits for a lock on a table delays everyone who uses the table after it. It therefore gives up soon, and tries
// again when others have had their turn.
const lockTimeoutMs = 500;
const firstPauseMs = 500;
const maxPauseMs = 5_000;
const retryForMs = 600_000;

/** Runs the statements of a migration as its mode requires. Waits for locks without delaying others for long. */
export async function runMigration(sequelize: Sequelize, migration: Migration, log: Logger): Promise<void> {
  for (const statement of migration.statements)
    await retryWhileLocked(log, () => run[migration.mode](sequelize, statement));
}

const run: Record<Migration['mode'], (sequelize: Sequelize, statement: string) => Promise<unknown>> = {
  transaction: runInTransaction,
  concurrently: runConcurrently,
  batches: runInBatches,
};

function runInTransaction(sequelize: Sequelize, sql: string): Promise<object[]> {
  return sequelize.transaction(async (transaction) => {
    const limits = `SET LOCAL statement_timeout = '600s'; SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`;
    await query(sequelize, { sql: limits, transaction });
    return query(sequelize, { sql, transaction });
  });
}

async function runConcurrently(sequelize: Sequelize, statement: string): Promise<void> {
  // An interrupted build leaves an invalid index, which writes maintain but no query uses.
  const [, name] = /^CREATE .*? IF NOT EXISTS (\w+)/.exec(statement) ?? [];
  if (name) {
    const invalid = await query(sequelize, {
      sql: 'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
      values: [name],
    });
    if (invalid.length > 0) await query(sequelize, { sql: `DROP INDEX CONCURRENTLY IF EXISTS ${name}` });
  }
  await query(sequelize, { sql: statement });
}

async function runInBatches(sequelize: Sequelize, statement: string): Promise<void> {
  const sql = `WITH batch AS (${statement} RETURNING 1) SELECT 1 FROM batch LIMIT 1`;
  while ((await runInTransaction(sequelize, sql)).length > 0);
}

async function retryWhileLocked(log: Logger, work: () => Promise<unknown>): Promise<void> {
  const endsAt = Date.now() + retryForMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(isLockTimeout(error) || isTransactionConflict(error)) || Date.now() > endsAt) throw error;
      log.warn({ err: error }, 'the migration waits for a lock; retrying');
      await sleep(pauseMs);
    }
  }
}
