import type { Sequelize, Transaction } from 'sequelize';

type Begin = (work: (transaction: Transaction) => Promise<unknown>) => Promise<unknown>;
type Query = (sql: unknown, options?: { transaction?: Transaction | null }) => Promise<unknown>;

/**
 * Limits the duration of statements in each transaction, and runs every other statement in a transaction. A pooler such
 * as PgBouncer lends a connection for one transaction, so a connection setting would be lost or belong to another
 * client.
 */
export function limitStatementsByTransaction(sequelize: Sequelize, timeoutMs: number): void {
  const begin = sequelize.transaction.bind(sequelize) as Begin;
  const query = sequelize.query.bind(sequelize) as Query;
  const inLimitedTransaction: Begin = (work) =>
    begin(async (transaction) => {
      await query(`SET LOCAL statement_timeout = ${timeoutMs}`, { transaction });
      return work(transaction);
    });
  const limited: Query = (sql, options) =>
    options?.transaction
      ? query(sql, options)
      : inLimitedTransaction((transaction) => query(sql, { ...options, transaction }));
  Object.assign(sequelize, { transaction: inLimitedTransaction, query: limited });
}
