import { Client } from 'pg';
import type { Statement } from './plans.ts';

interface Index {
  schema: string;
  index: string;
}

/** A statement that reads an index, and its cost as estimated by PostgreSQL. */
interface IndexUse extends Index {
  statement: string;
  /** In PostgreSQL's unit, the cost of reading a page in order. */
  cost: number;
  costWithout: number;
}

type Executed = Pick<Statement, 'text' | 'parameters' | 'statement'>;

/** A statement with its plan in a schema. */
interface Planned extends Executed {
  plan: string;
}

/**
 * The benefit of each index: the statement whose cost would rise most without it. Excludes primary keys and unique
 * indexes, which exist for more than speed. Nothing is changed: indexes are dropped in transactions that are rolled
 * back.
 */
export async function usesOfIndexes(
  connectionString: string,
  schemas: readonly string[],
  statements: readonly Statement[],
): Promise<{ uses: IndexUse[]; unused: Index[] }> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const uses: IndexUse[] = [];
    const unused: Index[] = [];
    await client.query('SET plan_cache_mode = force_custom_plan');
    for (const schema of schemas) {
      await client.query(`SET search_path = ${schema}, public`);
      const planned = await plansIn(client, statements);
      for (const index of await secondaryIndexes(client, schema)) {
        const use = await largestUse(client, index, planned);
        if (use) uses.push(use);
        else unused.push(index);
      }
    }
    return { uses, unused };
  } finally {
    await client.end();
  }
}

// Two schemas with the same tables send the same statements, but may hold different numbers of rows.
async function plansIn(client: Client, statements: readonly Statement[]): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (const executed of statements) {
    // Fails for the statements of other schemas.
    const plan = await explain(client, executed).catch(() => undefined);
    if (plan !== undefined) planned.push({ ...executed, plan });
  }
  return planned;
}

async function secondaryIndexes(client: Client, schema: string): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `SELECT n.nspname AS schema, c.relname AS index
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND NOT i.indisunique ORDER BY 2`,
    [schema],
  );
  return rows;
}

async function largestUse(
  client: Client,
  { schema, index }: Index,
  statements: readonly Planned[],
): Promise<IndexUse | undefined> {
  const uses: IndexUse[] = [];
  for (const planned of statements)
    if (reads(planned.plan, index)) {
      const costWithout = costOf(await planWithout(client, `${schema}.${index}`, planned));
      uses.push({ schema, index, statement: planned.statement, cost: costOf(planned.plan), costWithout });
    }
  return uses.toSorted((a, b) => b.costWithout / b.cost - a.costWithout / a.cost)[0];
}

const reads = (plan: string, index: string): boolean =>
  new RegExp(`(?:using|Bitmap Index Scan on) ${index}\\b`).test(plan);

async function planWithout(client: Client, index: string, executed: Executed): Promise<string> {
  await client.query('BEGIN');
  try {
    await client.query(`DROP INDEX ${index}`);
    return await explain(client, executed);
  } finally {
    await client.query('ROLLBACK');
  }
}

// Plans for the values that were sent, as PostgreSQL does the first few times it executes a statement.
async function explain(client: Client, { text, parameters }: Executed): Promise<string> {
  await client.query('DEALLOCATE ALL');
  await client.query(`PREPARE explained AS ${text}`);
  const values = parameters.length > 0 ? `(${parameters.join(', ')})` : '';
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE explained${values}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

const costOf = (plan: string): number => Number(/cost=[\d.]+\.\.([\d.]+)/.exec(plan)?.[1]);
