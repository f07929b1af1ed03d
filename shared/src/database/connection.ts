import { QueryTypes, Sequelize, type Transaction } from 'sequelize';
import { traceQueries } from '../tracing/sqlSpans.ts';
import { isTransactionConflict } from './errors.ts';

interface Options {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  /** Most connections at once. */
  pool: number;
}

/**
 * Opens a pool of connections. Nothing waits for ever: not for a connection, a lock, a query or an answer of a
 * server that has stopped; what takes too long fails and is seen as the database being out of reach.
 */
export function openDatabase({ url, name, pool }: Options): Sequelize {
  return open({ url, name, pool }, 6_000);
}

/**
 * Opens two connections for a migration: one holds its lock while the other works. How long a statement may take, the
 * migration says to the server; here nobody gives up waiting for it.
 */
export function openDatabaseToMigrate({ url, name }: Omit<Options, 'pool'>): Sequelize {
  return open({ url, name, pool: 2 }, 0);
}

function open({ url, name, pool }: Options, queryTimeoutMs: number): Sequelize {
  const sequelize = new Sequelize(url, {
    dialect: 'postgres',
    logging: false,
    pool: { max: pool, min: 0, acquire: 3_000, idle: 30_000, evict: 5_000 },
    define: { underscored: true, timestamps: false },
    dialectOptions: {
      application_name: name,
      connectionTimeoutMillis: 2_000,
      query_timeout: queryTimeoutMs,
      statement_timeout: 5_000,
      lock_timeout: 4_000,
      idle_in_transaction_session_timeout: 10_000,
      keepAlive: true,
    },
  });
  traceQueries(sequelize);
  return sequelize;
}

/** Runs a query with `$1` placeholders and returns its rows as plain objects. */
export function selectRows<Row extends object>(
  sequelize: Sequelize,
  sql: string,
  bind: unknown[] = [],
  transaction?: Transaction | null,
): Promise<Row[]> {
  return sequelize.query<Row>(sql, { bind, type: QueryTypes.SELECT, transaction: transaction ?? null });
}

/**
 * Runs `work` in a transaction. One that met a deadlock or a serialization failure did nothing and is run
 * again, three times at most; so `work` must not touch anything but the database.
 */
export async function inTransaction<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sequelize.transaction(work);
    } catch (error) {
      if (attempt === 3 || !isTransactionConflict(error)) throw error;
    }
  }
}
