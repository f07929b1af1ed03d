// npm run check: what guards the house beside the tests. Plain JavaScript, so that it runs before the build.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { node, prepare, root } from './prepare.js';

const bin = join(root, 'node_modules/.bin');

/**
 * Name, what it promises, the command, and what to run before it where that may take a while: it shows its progress. All
 * are run, whatever the ones before them said.
 */
const checks = [
  ['types', 'Everything compiles, tests included', 'tsc -b && tsc -p test && tsc -p bench'],
  ['lint', 'Format and lint of every file', 'biome ci .'],
  [
    'boundaries',
    'No service imports another; domain imports no HTTP or data library',
    'depcruise --config .dependency-cruiser.cjs {shared,proto,gateway,local}/dist services/*/dist',
  ],
  ['unused', 'No unused file, export or dependency', 'knip --treat-config-hints-as-errors'],
  [
    'references',
    'Every cited rule, decision, section, file and link exists',
    'node local/checkReferences.ts',
  ],
  ['protos', 'The protos keep the conventions', 'buf lint proto'],
  ['wire', 'The protos break nothing that was released', 'buf breaking proto --against proto/released.json'],
  [
    'manifests',
    'The manifests of Kubernetes are valid, safe, and what the code reads',
    'vitest run --config test/manifests/vitest.config.ts',
    'node test/manifests/kustomize.ts',
  ],
];

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  const lines = checks.map(([name, promise]) => `  ${name.padEnd(12)} ${promise}`);
  process.stdout.write(`npm run check [-- NAME …]: every check, or those named\n\n${lines.join('\n')}\n`);
  process.exit(0);
}

await prepare();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !checks.some(([known]) => known === name));
if (unknown.length > 0) {
  process.stderr.write(`no check is called ${unknown.join(', ')}: see --help\n`);
  process.exit(2);
}

const path = [join(root, 'node_modules/node/bin'), bin, process.env.PATH].join(delimiter);
const counts = { passed: 0, failed: 0 };
for (const [name, promise, command, before] of checks) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, PATH: path, NODE: node } };
  if (before) spawnSync('bash', ['-c', before], { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], options);
  const good = status === 0;
  counts[good ? 'passed' : 'failed'] += 1;
  process.stdout.write(`${good ? '✓' : '✗'} ${name.padEnd(12)} ${promise}\n`);
  if (!good) process.stdout.write(`${stdout}${stderr}\n`);
}

mkdirSync(join(root, '.build'), { recursive: true });
writeFileSync(join(root, '.build/check-results.json'), JSON.stringify(counts));
process.stdout.write(`${counts.passed} checks passed, ${counts.failed} failed\n`);
process.exit(counts.failed === 0 ? 0 : 1);
