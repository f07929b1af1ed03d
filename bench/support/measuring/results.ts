import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describeGoal, describeValues, isReached, type Row } from './row.ts';
import { median } from './statistics.ts';

const latest = new URL('../../results/latest.json', import.meta.url);
const readme = new URL('../../README.md', import.meta.url);
const root = fileURLToPath(new URL('../../..', import.meta.url));

interface RecordedRow extends Row {
  median: number;
  reached: boolean;
  /** The day of the run. */
  date: string;
  /** The commit that was measured; `+` when files had changed since. */
  commit: string;
  machine: string;
  versions: Record<string, string>;
}

/** Merges rows into `results/latest.json` by their names, and rewrites the table of the README. */
export function recordRows(rows: Row[]): void {
  const [commit, machine] = [describeCommit(), describeMachine()];
  const date = new Date().toISOString().slice(0, 10);
  const recorded = new Map(readRows().map((row) => [row.name, row]));
  for (const row of rows) {
    const versions = { node: process.versions.node, ...row.versions };
    const result = { median: median(row.values), reached: isReached(row) };
    recorded.set(row.name, { ...row, ...result, date, commit, machine, versions });
  }
  const sorted = [...recorded.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  mkdirSync(new URL('.', latest), { recursive: true });
  writeFileSync(latest, `${JSON.stringify({ rows: sorted }, null, 2)}\n`);
  writeTable();
}

/** Rewrites the table of the README from `results/latest.json`. */
export function writeTable(): void {
  const lines = readRows().map((row) => {
    const { name, work, against, reached, note = '', date, commit } = row;
    const measured = `${describeValues(row)}${reached ? '' : ' **missed**'}`;
    return [name, work, against, describeGoal(row), measured, note, `${date}, ${commit}`];
  });
  const head = ['Row', 'Work', 'Against', 'Goal', 'Measured', 'Figures', 'Run'];
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const machines = new Set(readRows().map(describeRun));
  const runs = [...machines].map((run) => `- ${run}`).join('\n');
  const text = readFileSync(readme, 'utf8');
  const marked = /(<!-- results -->\n)[\s\S]*(<!-- \/results -->)/;
  writeFileSync(
    readme,
    text.replace(marked, (_, begin, end) => `${begin}${table}\n\n${runs}\n${end}`),
  );
}

/** The rows as text for the terminal. */
export function describeRows(rows: Row[]): string {
  return rows
    .map((row) => {
      const reached = isReached(row) ? '✓' : '✗';
      const lines = [
        `${reached} ${row.name}: ${row.work}, against ${row.against}`,
        `    goal ${describeGoal(row)}   measured ${describeValues(row)}${row.note ? `   ${row.note}` : ''}`,
      ];
      return lines.join('\n');
    })
    .join('\n');
}

function readRows(): RecordedRow[] {
  if (!existsSync(latest)) return [];
  return (JSON.parse(readFileSync(latest, 'utf8')) as { rows: RecordedRow[] }).rows;
}

const describeRun = ({ machine, versions }: RecordedRow): string =>
  `${machine}: ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}`;

function describeMachine(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} × ${cpu?.model.trim()}, ${gigabytes} GB, Linux ${release()}`;
}

function describeCommit(): string {
  const git = (...parameters: string[]) =>
    execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git(
    'status',
    '--porcelain',
    '--untracked-files=no',
    '--',
    '.',
    ':!bench/results',
    ':!bench/README.md',
  );
  return `${git('rev-parse', '--short=7', 'HEAD')}${changed ? '+' : ''}`;
}
