// npm run bench [NAME …]: runs the benchmarks in sequence. Plain JavaScript, so that it runs before the build.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installAndBuild } from '../local/installAndBuild.js';
import { nodeProgram, pathWithNode, root } from '../local/nodeProgram.js';

/** Name, description, and the external programs that it needs. */
const benches = [
  [
    'submissionLists',
    'Pages of the quiz and homework lists, compared with pgbench and the same SQL',
    ['wrk', 'pgbench'],
  ],
  ['studentLists', 'Pages of the students of a large course, with and without a search', ['wrk', 'pgbench']],
  ['gradebook', 'The grid of a large course, and the memory of its file', []],
  [
    'grading',
    'Gradings, compared with pgbench writing the same rows, and their way to the gradebook',
    ['wrk', 'pgbench'],
  ],
  [
    'databaseServers',
    'Services with PgBouncer, and lists from a read replica, compared with the primary alone',
    ['wrk'],
  ],
  [
    'gradingQueue',
    'A grading queue of 100,000 submissions, compared with one of 100, and changes to a rubric',
    [],
  ],
  [
    'questions',
    'The queues of 20 questions of 100,000 submissions, compared with those of 1,000, and their progress and statistics',
    [],
  ],
  [
    'everyone',
    'The list of students who should hand in, in a course of 20,000 students, compared with one of 100',
    [],
  ],
  ['questionRubric', 'Changes of the rubric and of the maximum of a question over 20,000 graded answers', []],
  ['web', 'The web application in Chromium: the next sheet, memory, a large table, Lighthouse', []],
  ['logins', 'Logins, compared with argon2id alone, and other requests meanwhile', ['wrk']],
  [
    'statementGrowth',
    'Blocks that each statement touches with ten times the rows, from the plans of PostgreSQL',
    [],
  ],
  ['migration', 'The longest wait of a client during migrations of a table of 5 million rows', []],
  ['import', 'An import of 100,000 rows, compared with COPY, and other requests meanwhile', ['psql']],
  ['uploadCost', 'CPU time of an upload of 1 MB in all processes', []],
  ['pageCost', 'CPU time of the lists of a student in all processes', ['wrk']],
  ['deadline', '1,000 uploads of 1 MB in 30 seconds while graders list and grade', []],
  ['mail', '500 uploads while 10,000 messages are queued and sent, compared with none', []],
  ['slowPhones', '3,000 uploads from slow phones whose connections break', []],
  ['uploadStreams', '32 uploads of 5 MB at once, compared with nginx writing the bodies to disk', ['nginx']],
  ['uploadMemory', 'Peak memory of quiz during 32 concurrent uploads of 20 MB', []],
  ['zip', 'ZIP archives, compared with a raw pipe of the same bytes, and their memory', ['curl']],
  ['pdfBombs', 'CPU time and memory of PDF checks for PDFs that are expensive to open', []],
  ['backup', 'Backup and restore of 10,000 submissions', []],
  [
    'attacks',
    'Times of legitimate clients while others send partial requests, or call a stopped service',
    [],
  ],
  ['restart', 'Times until processes are ready again, and their use of resources while idle', []],
  ['revocation', 'How long a token stays accepted after its session has ended', []],
  ['accountEnumeration', 'Response times of logins to existing and unknown accounts', []],
  [
    'gatewayLatency',
    'One connection through the gateway, compared with nginx and the service',
    ['wrk', 'nginx'],
  ],
  [
    'gateway',
    'The gateway, compared with other proxies and with its own parts switched off',
    ['wrk', 'nginx'],
  ],
];

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  const lines = benches.map(([name, description]) => `  ${name.padEnd(18)} ${description}`);
  process.stdout.write(`npm run bench [NAME …]: runs all benchmarks, or the named ones\n\n${lines.join('\n')}

Each compares its result with a goal and fails when it misses the goal; bench/results/latest.json and bench/README.md keep
the latest results. \`npm run bench table\` only rewrites the table from them. On Debian, the programs are in the packages
wrk, nginx and postgresql.
`);
  process.exit(0);
}

const selected = process.argv.slice(2);
const isTable = selected.length === 1 && selected[0] === 'table';
const unknown = selected.filter((name) => !benches.some(([known]) => known === name));
if (unknown.length > 0 && !isTable) {
  process.stderr.write(`no such benchmark: ${unknown.join(', ')}; see --help\n`);
  process.exit(2);
}

await installAndBuild();
const path = pathWithNode();
const start = (name) =>
  spawnSync(nodeProgram(), [join(root, 'bench/runBenchmark.ts'), name], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  }).status;
if (isTable) process.exit(start('table'));
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
  if (start(name) !== 0) missed.push(name);
}
if (missed.length > 0) process.stdout.write(`\ngoal missed: ${missed.join(', ')}\n`);
process.exit(missed.length > 0 ? 1 : 0);
