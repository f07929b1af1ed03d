// npm run bench: runs the benchmarks in sequence. Plain JavaScript, so that it runs before the build.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { installAndBuild, node, root } from '../local/installAndBuild.js';

/** Name, description, and the external programs that it needs. */
const benches = [
  ['quizList', 'A page of the quiz list, compared with pgbench and the same SQL', ['wrk', 'pgbench']],
  ['uploads', 'Peak memory of quiz during 32 concurrent uploads of 20 MB', []],
  ['zip', 'Peak memory of homework during downloads of archives of 30 files of 5 MB', []],
  ['pdfBombs', 'CPU time and memory of PDF checks for PDFs that are expensive to open', []],
  ['backup', 'Backup and restore of 10,000 submissions', []],
  ['attacks', 'Times of honest clients while others send half requests, or ask a stopped service', []],
  ['tracing', 'Overhead of tracing in the gateway', ['wrk']],
];

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  const lines = benches.map(([name, description]) => `  ${name.padEnd(10)} ${description}`);
  process.stdout.write(`npm run bench [-- NAME …]: runs all benchmarks, or the named ones\n\n${lines.join('\n')}

Each compares its result with a goal and fails when it misses the goal. On Debian, wrk and pgbench are in the packages wrk
and postgresql.
`);
  process.exit(0);
}

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !benches.some(([known]) => known === name));
if (unknown.length > 0) {
  process.stderr.write(`no such benchmark: ${unknown.join(', ')}; see --help\n`);
  process.exit(2);
}

await installAndBuild();
const path = [join(root, 'node_modules/node/bin'), process.env.PATH].join(delimiter);
const missed = [];
for (const [name, description, programs] of benches) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  process.stdout.write(`\n${name}: ${description}\n`);
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error);
  if (missing.length > 0) {
    process.stdout.write(`requires ${missing.join(' and ')}; see --help\n`);
    missed.push(name);
    continue;
  }
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } };
  if (spawnSync(node, [join(root, 'bench', `${name}.ts`)], options).status !== 0) missed.push(name);
}
if (missed.length > 0) process.stdout.write(`\ngoal missed: ${missed.join(', ')}\n`);
process.exit(missed.length > 0 ? 1 : 0);
