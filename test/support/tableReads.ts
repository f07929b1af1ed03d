import { openDatabase } from '@gradeway/shared/database/connection';
import type { TestDatabase } from './testDatabase.ts';

interface TableReads {
  /** Rows that were read from the table, directly or through an index, whether or not they were returned. */
  rows: number;
  /** Descents into its indexes. */
  searches: number;
}

const counters = `
  SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS rows, coalesce(idx_scan, 0)::int AS searches
  FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = $2`;

interface Observed {
  database: TestDatabase;
  schema: Parameters<TestDatabase['url']>[0];
  table: string;
  work(sequelize: ReturnType<typeof openDatabase>): Promise<unknown>;
}

/** The rows of a table that PostgreSQL reads during `work`, according to its statistics, which do not vary with the machine. */
export async function tableReads({ database, schema, table, work }: Observed): Promise<TableReads> {
  const read = async () => {
    const [row] = await database.query<TableReads>(counters, [schema, table]);
    if (!row) throw new Error(`there is no table ${schema}.${table}`);
    return row;
  };
  const before = await read();
  const limits = { statementTimeoutMs: 60_000, pool: 1 };
  const sequelize = openDatabase({ url: database.url(schema), name: 'test', ...limits });
  try {
    await work(sequelize);
    // Without this, a connection reports its reads at most once a second.
    await sequelize.query('SELECT pg_stat_force_next_flush()');
  } finally {
    await sequelize.close();
  }
  const after = await read();
  return { rows: after.rows - before.rows, searches: after.searches - before.searches };
}
