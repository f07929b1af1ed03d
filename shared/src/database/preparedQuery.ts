import type { Sequelize, Transaction } from 'sequelize';
import { isTransactionConflict } from './errors.ts';
import { type PooledConnection, poolOf } from './pooledConnection.ts';
import { countQueryFailure } from './poolMetrics.ts';

/**
 * Runs a hot-path query as a prepared statement, prepared once per connection under `name`. Compared with
 * `sequelize.query`, Postgres skips planning, and this process uses a third less CPU time for a page of a few hundred
 * rows (bench/benchmarks/submissionLists.ts). It uses the same pool and timeouts, or the connection of a transaction.
 */
export async function selectPrepared<Row extends object>(
  sequelize: Sequelize,
  name: string,
  text: string,
  values: unknown[] = [],
  transaction?: Transaction,
): Promise<Row[]> {
  const query = { name, text, values };
  if (transaction) return runPrepared(connectionOf(transaction), query);
  const pool = poolOf(sequelize);
  const connection = await pool.getConnection({ type: 'read' });
  try {
    return await runPrepared(connection, query);
  } finally {
    pool.releaseConnection(connection);
  }
}

/**
 * Runs a prepared statement that changes everything or nothing, without a surrounding transaction, and returns its row.
 * Returns undefined if it found an unexpected state or was part of a deadlock. Nothing is written then, and the caller
 * repeats the change in a transaction with locks.
 */
export async function writeAtOnce<Row extends object>(
  sequelize: Sequelize,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row | undefined> {
  try {
    const [row] = await selectPrepared<Row>(sequelize, name, text, values);
    return row;
  } catch (error) {
    if (isTransactionConflict(error)) return undefined;
    throw error;
  }
}

/** Runs a prepared statement on a pooled connection, which the caller releases. */
export async function runPrepared<Row>(
  connection: PooledConnection,
  query: Parameters<PooledConnection['query']>[0],
): Promise<Row[]> {
  try {
    return (await connection.query(query)).rows as Row[];
  } catch (error) {
    countQueryFailure(error);
    // The connection is still waiting for a hung server to respond.
    if ((error as Error).message === 'Query read timeout') connection._invalid = true;
    throw error;
  }
}

// Not in Sequelize's types.
const connectionOf = (transaction: Transaction): PooledConnection =>
  (transaction as unknown as { connection: PooledConnection }).connection;
