import type { Sequelize, Transaction } from 'sequelize';
import { isTransactionConflict } from './errors.ts';
import { type PooledConnection, poolOf } from './pooledConnection.ts';
import { countQueryFailure } from './poolMetrics.ts';

/**
 * Runs a query of a hot path as a prepared statement, prepared once per connection under `name`. Compared with
 * `sequelize.query`, Postgres skips planning, and this process saves a third of the CPU time for a page of some hundred
 * rows (bench/lists.ts). It uses the same pool and the same timeouts, or the connection of a transaction.
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
 * Runs a prepared statement that changes everything or nothing without a transaction around it, and returns its row. Undefined
 * when it found another state than it expects or took part in a deadlock: nothing is written then, and the caller does the
 * same in a transaction with locks.
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

/** Runs a prepared statement on a connection of the pool, which the caller returns to it. */
export async function runPrepared<Row>(
  connection: PooledConnection,
  query: Parameters<PooledConnection['query']>[0],
): Promise<Row[]> {
  try {
    return (await connection.query(query)).rows as Row[];
  } catch (error) {
    countQueryFailure(error);
    // The connection still waits for the answer of a server that hangs.
    if ((error as Error).message === 'Query read timeout') connection._invalid = true;
    throw error;
  }
}

// Not in Sequelize's types.
const connectionOf = (transaction: Transaction): PooledConnection =>
  (transaction as unknown as { connection: PooledConnection }).connection;
