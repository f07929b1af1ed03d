import { QueryTypes, type Sequelize, type Transaction } from 'sequelize';
import {
  connectionOf,
  discardConnection,
  type PooledConnection,
  releaseConnection,
  takeConnection,
} from './connectionPool.ts';
import { isTransactionConflict } from './errors.ts';
import { countQueryFailure } from './poolMetrics.ts';

/** An SQL statement with the values of its parameters `$1`, `$2`, … */
export interface Statement {
  /**
   * Prepares the statement under this unique name, once per connection. Only for hot statements
   * (docs/decisions/0009-models-and-one-function-for-sql.md).
   */
  name?: string;
  sql: string;
  values?: unknown[];
}

/** A statement that is prepared under its name. */
export type NamedStatement = Statement & { name: string };

/**
 * Runs a statement and returns its rows, on the connection of the transaction if there is one. Single rows are read and
 * written with models instead, unless the statement is hot.
 *
 * With a name, Postgres skips planning, and this process uses a third less CPU time for a page of a few hundred rows
 * (`npm run bench submissionLists`). Limits, timeouts, spans and metrics are the same with and without a name.
 */
export async function query<Row extends object>(
  db: Sequelize,
  { name, sql, values, transaction = null }: Statement & { transaction?: Transaction | null | undefined },
): Promise<Row[]> {
  if (!name)
    return db.query<Row>(sql, { type: QueryTypes.SELECT, transaction, ...(values && { bind: values }) });
  if (transaction) return runPrepared(connectionOf(transaction), { name, sql, values });
  const connection = await takeConnection(db);
  try {
    return await runPrepared(connection, { name, sql, values });
  } finally {
    releaseConnection(db, connection);
  }
}

/**
 * Runs a prepared statement that changes everything or nothing, without a surrounding transaction, and returns its row.
 * Returns undefined if it found an unexpected state or was part of a deadlock. Nothing is written then, and the caller
 * repeats the change in a transaction with locks.
 */
export async function writeAtOnce<Row extends object>(
  db: Sequelize,
  statement: NamedStatement,
): Promise<Row | undefined> {
  try {
    const [row] = await query<Row>(db, statement);
    return row;
  } catch (error) {
    if (isTransactionConflict(error)) return undefined;
    throw error;
  }
}

/** Runs a prepared statement on a pooled connection, which the caller releases. */
export async function runPrepared<Row>(
  connection: PooledConnection,
  { name, sql, values = [] }: NamedStatement,
): Promise<Row[]> {
  try {
    return (await connection.query({ name, text: sql, values })).rows as Row[];
  } catch (error) {
    countQueryFailure(error);
    // The connection is still waiting for a hung server to respond.
    if ((error as Error).message === 'Query read timeout') discardConnection(connection);
    throw error;
  }
}
