import { Client } from 'pg';
import type { Statement } from './plans.ts';

interface Index {
  schema: string;
  index: string;
}

/** A statement that reads an index, and what PostgreSQL expects it to cost. */
interface IndexUse extends Index {
  statement: string;
  /** Blocks that the statement touched. */
  blocks: number;
  /** In PostgreSQL's unit, the cost of reading a page in order. */
  cost: number;
  costWithout: number;
}

/**
 * What each index saves: of the statements whose plan reads it, the one that would cost most more without it. Primary keys and
 * unique indexes are left out, which are not there for speed. Nothing is changed: indexes are dropped in transactions that are
 * rolled back.
 */
export async function usesOfIndexes(
  connectionString: string,
  schemas: readonly string[],
  statements: readonly Statement[],
): Promise<{ uses: IndexUse[]; unused: Index[] }> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const indexes = await secondaryIndexes(client, schemas);
    const uses: IndexUse[] = [];
    const unused: Index[] = [];
    for (const index of indexes) {
      const use = await largestUse(client, index, statements);
      if (use) uses.push(use);
      else unused.push(index);
    }
    return { uses, unused };
  } finally {
    await client.end();
  }
}

async function secondaryIndexes(client: Client, schemas: readonly string[]): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `SELECT n.nspname AS schema, c.relname AS index
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY ($1) AND NOT i.indisunique ORDER BY 1, 2`,
    [schemas],
  );
  return rows;
}

async function largestUse(
  client: Client,
  { schema, index }: Index,
  statements: readonly Statement[],
): Promise<IndexUse | undefined> {
  const uses: IndexUse[] = [];
  for (const { text, statement, blocks, plan } of statements) {
    if (!reads(plan, index)) continue;
    const costs = await costsOf(client, { schema, index, text });
    if (costs) uses.push({ schema, index, statement, blocks, ...costs });
  }
  return uses.toSorted((a, b) => b.costWithout / b.cost - a.costWithout / a.cost)[0];
}

const reads = (plan: string, index: string): boolean =>
  new RegExp(`(?:using|Bitmap Index Scan on) ${index}\\b`).test(plan);

// Schemas have indexes of the same name: a statement of another schema fails, or has a plan without this index.
async function costsOf(
  client: Client,
  { schema, index, text }: Index & { text: string },
): Promise<{ cost: number; costWithout: number } | undefined> {
  const explain = async () => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL search_path = ${schema}, public`);
    const plan = await explain();
    await client.query(`DROP INDEX ${schema}.${index}`);
    return reads(plan, index) ? { cost: costOf(plan), costWithout: costOf(await explain()) } : undefined;
  } catch {
    return undefined;
  } finally {
    await client.query('ROLLBACK');
  }
}

const costOf = (plan: string): number => Number(/cost=[\d.]+\.\.([\d.]+)/.exec(plan)?.[1]);
