import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Count } from './count.ts';

export interface Row extends Count {
  on: string;
  name: string;
  requests: number;
  answers: Record<string, number>;
  /** Uploads and gradings with a 2xx response. */
  answered: number;
  /** From the end of the fault; null when the system did not recover. */
  recoverySeconds: number | null;
}

const build = fileURLToPath(new URL('../../../.build/', import.meta.url));
// Another run, such as that of test/cluster, has a separate table.
const table = process.env.FAULT_TABLE ?? 'fault-table';
const rowDirectory = join(build, `${table}-rows`);

/** The file that `collectTable` writes. */
export const tableFile = join(build, `${table}.json`);

/** Saves a row, for the table at the end of the run. */
export async function saveRow(row: Row): Promise<void> {
  const file = join(rowDirectory, `${row.on} ${row.name}`.replace(/[^\w]+/g, '-').concat('.json'));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(row, null, 2));
}

/** Deletes the rows of earlier runs. */
export async function clearRows(): Promise<void> {
  await rm(rowDirectory, { recursive: true, force: true });
}

/** Writes all rows of the run to one JSON file, and returns them as text. */
export async function collectTable(): Promise<string> {
  const files = (await readdir(rowDirectory).catch(() => [])).toSorted();
  const rows: Row[] = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(rowDirectory, file), 'utf8'))),
  );
  if (rows.length === 0) return '';
  await writeFile(tableFile, `${JSON.stringify(rows, null, 2)}\n`);
  return formatTable(rows);
}

const columns: [string, (row: Row) => string][] = [
  ['system', ({ on }) => on],
  ['fault', ({ name }) => name],
  ['requests', ({ requests }) => String(requests)],
  ['2xx', ({ answered }) => String(answered)],
  ['found', ({ found }) => String(found)],
  ['lost', ({ lost }) => String(lost.length)],
  ['doubled', ({ doubled }) => String(doubled.length)],
  ['half-done', ({ halfDone }) => String(halfDone.length)],
  [
    'recovery',
    ({ recoverySeconds }) => (recoverySeconds === null ? 'never' : `${recoverySeconds.toFixed(1)} s`),
  ],
  [
    'other answers',
    ({ answers }) =>
      Object.entries(answers)
        .filter(([status]) => !status.startsWith('2'))
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
  ],
];

function formatTable(rows: Row[]): string {
  const cells = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => cell(row)))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)].join('\n');
}
