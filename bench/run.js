// npm run bench: the measurements, one after the other. Plain JavaScript, so that it runs before the build.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { installAndBuild, node, root } from '../local/installAndBuild.js';

/** Name, what it measures, and the programs it needs beside ours. */
const benches = [
  ['quizList', 'A page of the quiz list against pgbench with the same SQL', ['wrk', 'pgbench']],
  ['uploads', 'Peak memory of quiz while 32 files of 20 MB are uploaded at once', []],
  ['zip', 'Peak memory of homework while archives of 30 files of 5 MB are read', []],
  ['tracing', 'What tracing costs the gateway', ['wrk']],
];

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  const lines = benches.map(([name, what]) => `  ${name.padEnd(10)} ${what}`);
  process.stdout.write(`npm run bench [-- NAME …]: the measurements, all or those named\n\n${lines.join('\n')}

Each prints ratios of one run and its goal, and fails when it misses the goal. On Debian wrk and pgbench come from
the packages wrk and postgresql.
`);
  process.exit(0);
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benches.some(([known]) => known === name));
if (unknown.length > 0) {
  process.stderr.write(`no measurement is called ${unknown.join(', ')}: see --help\n`);
  process.exit(2);
}

await installAndBuild();
const path = [join(root, 'node_modules/node/bin'), process.env.PATH].join(delimiter);
const missed = [];
for (const [name, what, programs] of benches) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`\n${name}: ${what}\n`);
  const absent = programs.filter((program) => spawnSync(program, ['--version']).error);
  if (absent.length > 0) {
    process.stdout.write(`it needs ${absent.join(' and ')}: see --help\n`);
    missed.push(name);
    continue;
  }
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path } };
  if (spawnSync(node, [join(root, 'bench', `${name}.ts`)], options).status !== 0) missed.push(name);
}
if (missed.length > 0) process.stdout.write(`\nnot reached: ${missed.join(', ')}\n`);
process.exit(missed.length > 0 ? 1 : 0);
