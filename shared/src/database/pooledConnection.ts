import type { QueryResult } from 'pg';
import type { Sequelize } from 'sequelize';

/** The parts that are used of a pooled connection, which is a `pg.Client`. */
export interface PooledConnection {
  query(query: {
    name?: string;
    text: string;
    values?: unknown[];
    /** How long the client waits, in milliseconds, instead of the time of `openDatabase`. */
    query_timeout?: number;
  }): Promise<QueryResult>;
  /** The pool closes such a connection instead of lending it again. */
  _invalid?: boolean;
}

interface Pool {
  getConnection(options: { type: 'read' }): Promise<PooledConnection>;
  releaseConnection(connection: PooledConnection): void;
}

// Not in Sequelize's types.
/** The pool of a database: connections that are lent and must be released. */
export const poolOf = (sequelize: Sequelize): Pool => sequelize.connectionManager as unknown as Pool;
