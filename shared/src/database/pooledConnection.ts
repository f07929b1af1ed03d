import type { QueryResult } from 'pg';
import type { Sequelize } from 'sequelize';

/** The parts of a pooled connection, a `pg.Client`, that are used here. */
export interface PooledConnection {
  query(query: {
    name?: string;
    text: string;
    values?: unknown[];
    /** Client-side timeout in milliseconds, overrides the one set by `openDatabase`. */
    query_timeout?: number;
  }): Promise<QueryResult>;
  /** If true, the pool closes the connection instead of reusing it. */
  _invalid?: boolean;
}

interface Pool {
  getConnection(options: { type: 'read' }): Promise<PooledConnection>;
  releaseConnection(connection: PooledConnection): void;
}

// Not in Sequelize's types.
/** The connection pool of a database. Connections must be released after use. */
export const poolOf = (sequelize: Sequelize): Pool => sequelize.connectionManager as unknown as Pool;
