import type { QueryResult } from 'pg';
import type { Sequelize, Transaction } from 'sequelize';

/*
 * The only file that uses parts of Sequelize 6 that its types do not declare: the connection pool, and the connection of
 * a transaction. Sequelize's hooks cannot replace them, because they run only before an attempt or after a success.
 */

/** The parts of a pooled connection, a `pg.Client`, that are used here. */
export interface PooledConnection {
  query(query: PreparedQuery): Promise<QueryResult>;
}

interface PreparedQuery {
  name?: string;
  text: string;
  values?: unknown[];
  /** Client-side timeout in milliseconds, overrides the one set by `openDatabase`. */
  query_timeout?: number;
}

/** The methods through which Sequelize's models, queries and transactions get and return connections. */
export interface ConnectionPool {
  getConnection(options: object): Promise<PooledConnection>;
  releaseConnection(connection: PooledConnection): void;
  destroyConnection(connection: PooledConnection): Promise<void>;
  /** Opens a connection with a role and password. */
  connect(config: object): Promise<PooledConnection>;
}

interface ConnectionManager extends ConnectionPool {
  pool: { using: number; available: number; waiting: number; maxSize: number };
}

const managerOf = (db: Sequelize) => db.connectionManager as unknown as ConnectionManager;

/** Replaces methods of the pool with the methods that `wrap` derives from the current ones. */
export function wrapPool(db: Sequelize, wrap: (pool: ConnectionPool) => Partial<ConnectionPool>): void {
  const manager = managerOf(db);
  const current = {
    getConnection: manager.getConnection.bind(manager),
    releaseConnection: manager.releaseConnection.bind(manager),
    destroyConnection: manager.destroyConnection.bind(manager),
    connect: manager.connect.bind(manager),
  };
  Object.assign(manager, wrap(current));
}

/** Waits for a connection. The caller must release it. */
export const takeConnection = (db: Sequelize): Promise<PooledConnection> =>
  managerOf(db).getConnection({ type: 'read' });

export const releaseConnection = (db: Sequelize, connection: PooledConnection): void =>
  managerOf(db).releaseConnection(connection);

/** The connection that a transaction holds and releases. */
export const connectionOf = (transaction: Transaction): PooledConnection =>
  (transaction as unknown as { connection: PooledConnection }).connection;

interface Discardable extends PooledConnection {
  _invalid?: boolean;
}

/** Makes the pool close a connection after its release instead of reusing it. */
export function discardConnection(connection: PooledConnection): void {
  (connection as Discardable)._invalid = true;
}

export const isDiscarded = (connection: PooledConnection): boolean =>
  (connection as Discardable)._invalid === true;

/** The number of connections, and of queries and transactions that wait for one. */
export function poolState(db: Sequelize): { used: number; idle: number; waiting: number; max: number } {
  const { using, available, waiting, maxSize } = managerOf(db).pool;
  return { used: using, idle: available, waiting, max: maxSize };
}
