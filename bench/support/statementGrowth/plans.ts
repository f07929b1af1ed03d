import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { roleOf, type Schema } from '@gradeway/local/provisionDatabase';
import type { BenchDatabase } from '../database/benchDatabase.ts';
import { median } from '../measuring/statistics.ts';

/** How PostgreSQL executed one statement. */
interface Execution {
  /** Its text as it was sent. */
  text: string;
  /** The literals of its parameters. */
  parameters: string[];
  /** Its text, with `?` for every number and string. */
  statement: string;
  ms: number;
  /** Blocks of tables and indexes that it touched, cached or not. They do not vary with the machine. */
  blocks: number;
  /** Rows that it returned or changed. */
  rows: number;
  /** The output of EXPLAIN (ANALYZE, BUFFERS). */
  plan: string;
}

/** All executions of one statement. */
export interface Statement extends Execution {
  times: number;
}

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_wal': 'on',
  // Includes the statements of foreign keys.
  'auto_explain.log_nested_statements': 'on',
};

/** Logs the plan of every statement of these services from their next connection on. */
export async function explainStatements(database: BenchDatabase, schemas: readonly Schema[]): Promise<void> {
  for (const schema of schemas)
    for (const [name, value] of Object.entries(settings))
      await database.administer(`ALTER ROLE ${roleOf(schema)} SET ${name} = '${value}'`);
}

/** The statements that were executed during `work`: the median of each. */
export async function plansOf(database: BenchDatabase, work: () => Promise<void>): Promise<Statement[]> {
  const before = (await readFile(database.logFile)).length;
  await work();
  // The event relay and the purges.
  await sleep(3_000);
  const log = (await readFile(database.logFile)).subarray(before).toString();
  const executions = Map.groupBy(readExecutions(log), ({ statement }) => statement);
  return [...executions.values()].flatMap((all) => {
    const sorted = all.toSorted((a, b) => a.blocks - b.blocks);
    const middle = sorted[Math.floor(sorted.length / 2)];
    return middle ? [{ ...middle, ms: median(all.map(({ ms }) => ms)), times: all.length }] : [];
  });
}

const entry = /LOG: {2}duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)*)/g;
const firstNode = /^.*\((?:cost=|actual )/m;

function readExecutions(log: string): Execution[] {
  return [...log.matchAll(entry)].flatMap(([, ms = '', body = '']) => {
    const text = body.replaceAll(/^\t/gm, '');
    const start = text.search(firstNode);
    if (start < 0) return [];
    const [statement = '', parameters = ''] = text
      .slice(0, start)
      .replace(/^Query Text: /, '')
      .split(/^Query Parameters: /m);
    const plan = text.slice(start).trimEnd();
    const literals = parameters
      .trim()
      .split(/(?:^|, )\$\d+ = /)
      .slice(1);
    return [
      {
        ...{ text: statement, parameters: literals, statement: normalized(statement) },
        ...{ ms: Number(ms), blocks: blocksOf(plan), rows: rowsOf(plan), plan },
      },
    ];
  });
}

// Buffers of the first node include the buffers of all nodes below it.
function blocksOf(plan: string): number {
  const [, buffers = ''] = /^ *Buffers: (.*)$/m.exec(plan) ?? [];
  const [, shared = ''] = /shared((?: \w+=\d+)+)/.exec(buffers) ?? [];
  return [...shared.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}

// The first node of a change without RETURNING returns no rows; the second one returns the changed rows.
function rowsOf(plan: string): number {
  const [returned = 0, below = 0] = [...plan.matchAll(/actual .*?rows=([\d.]+)/g)].map(([, rows]) =>
    Number(rows),
  );
  return /^(?:Insert|Update|Delete)/.test(plan) ? Math.max(returned, below) : returned;
}

const normalized = (statement: string): string =>
  statement
    .replaceAll(/'(?:[^']|'')*'/g, '?')
    .replaceAll(/(?<![\w$])\d+/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim();
