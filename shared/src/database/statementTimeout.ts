import type { Sequelize, Transaction } from 'sequelize';

type Begin = (work: (transaction: Transaction) => Promise<unknown>) => Promise<unknown>;
type Query = (sql: unknown, options?: { transaction?: Transaction | null }) => Promise<unknown>;

/**
 * Sets the longest duration of a statement in each transaction, and runs every other statement in one. A pooler such as
 * PgBouncer lends connections for one transaction: there a setting of the connection would be lost, or be another client's.
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
