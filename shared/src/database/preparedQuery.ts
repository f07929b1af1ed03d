import type { QueryResult } from 'pg';
import type { Sequelize } from 'sequelize';
import { countQueryFailure } from '../metrics/databasePool.ts';

/** What is used here of a connection of Sequelize's pool: it is one of pg's clients. */
interface Connection {
  query(query: { name: string; text: string; values: unknown[] }): Promise<QueryResult>;
}

interface Pool {
  getConnection(options: { type: 'read' }): Promise<Connection>;
  releaseConnection(connection: Connection): void;
}

/**
 * Runs a query of a hot path: prepared once for each connection under its name. Beside Sequelize's own way to query
 * this spares Postgres the planning, and us a third of the work for a page of some hundred rows (bench/quizList.ts).
 * Same pool, same time limits.
 */
export async function selectPrepared<Row extends object>(
  sequelize: Sequelize,
  name: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const pool = sequelize.connectionManager as unknown as Pool;
  const connection = await pool.getConnection({ type: 'read' });
  try {
    const { rows } = await connection.query({ name, text, values });
    return rows as Row[];
  } catch (error) {
    countQueryFailure(error);
    throw error;
  } finally {
    pool.releaseConnection(connection);
  }
}
