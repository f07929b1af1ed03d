// npm run check: the static checks. Plain JavaScript, so that it runs before the build.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installAndBuild } from './installAndBuild.js';
import { nodeProgram, pathWithNode, root } from './nodeProgram.js';

const bin = join(root, 'node_modules/.bin');

/**
 * Name, description, command, and optionally a slow preparation that shows its own progress. A failed check does not
 * stop the others. Exit code 3: what it needs is not there, so nothing was checked; its output says why.
 */
const checks = [
  [
    'types',
    'All code compiles, including tests and benchmarks',
    'tsc -b && tsc -p gateway/web && tsc -p clients/typescript && tsc -p test && tsc -p test/browser && tsc -p bench && tsc -p bench/support/web',
  ],
  [
    'web-types',
    "The web application's types match the OpenAPI document",
    'node gateway/web/apiTypes/generate.js --check',
  ],
  [
    'lint',
    'All files are formatted and pass the linter; no import cycles, including type imports',
    'biome ci .',
  ],
  [
    'boundaries',
    'No service imports another; domain imports no HTTP or data library',
    'depcruise --config .dependency-cruiser.cjs {shared,proto,gateway,local}/dist services/*/dist',
  ],
  [
    'times',
    'No test asserts speed; benchmarks do',
    "! git grep -nE 'expect\\((Date|performance)\\.now\\(\\) - .*toBeLess|(elapsed|took|[a-z]Ms|times)\\)+\\.toBeLess' -- '*.test.ts'",
  ],
  ['unused', 'No unused file, export or dependency', 'knip --treat-config-hints-as-errors'],
  [
    'references',
    'Every cited rule, decision, section, file and link exists',
    'node local/checkReferences.ts',
  ],
  ['licenses', 'Every package in production has a reviewed licence', 'node local/checkLicenses.js'],
  [
    'audit',
    'No package in production has a known vulnerability of high severity',
    'node local/auditPackages.js',
  ],
  [
    'versions',
    'All packages, manifests and images have the version in package.json',
    'node local/release/checkVersions.ts',
  ],
  ['protos', 'The protos follow the conventions', 'buf lint proto'],
  [
    'wire',
    'The protos are compatible with the released ones',
    'buf breaking proto --against proto/released.json',
  ],
  [
    'compatibility',
    'The API and its events are compatible with the released ones (docs/api-policy.md)',
    'vitest run --config test/compatibility/vitest.config.ts',
    'test/thirdParty/oasdiff >/dev/null',
  ],
  [
    'workflows',
    'The workflows of GitHub Actions are valid',
    '"$(test/thirdParty/actionlint)" -no-color -shellcheck= -pyflakes= .github/workflows/*.yml',
    'test/thirdParty/actionlint >/dev/null',
  ],
  [
    'manifests',
    'The Kubernetes manifests are valid and secure, and match the code',
    'vitest run --config test/manifests/vitest.config.ts',
    'node test/manifests/kustomize.ts',
  ],
];

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  const lines = checks.map(([name, description]) => `  ${name.padEnd(13)} ${description}`);
  process.stdout.write(
    `npm run check [-- NAME …]: runs all checks, or the named ones\n\n${lines.join('\n')}\n`,
  );
  process.exit(0);
}

await installAndBuild();
const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !checks.some(([known]) => known === name));
if (unknown.length > 0) {
  process.stderr.write(`no such check: ${unknown.join(', ')}; see --help\n`);
  process.exit(2);
}

const path = pathWithNode(bin);
/** The input of .ci/run: the counts, and the names of the checks that failed. */
const counts = { passed: 0, failed: 0, names: [] };
for (const [name, description, command, preparation] of checks) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, PATH: path, NODE: nodeProgram() } };
  if (preparation)
    spawnSync('bash', ['-c', preparation], { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], options);
  if (status === 3) {
    process.stdout.write(`! ${name.padEnd(13)} ${description}: NOT CHECKED: ${stdout}`);
    continue;
  }
  const passed = status === 0;
  counts[passed ? 'passed' : 'failed'] += 1;
  process.stdout.write(`${passed ? '✓' : '✗'} ${name.padEnd(13)} ${description}\n`);
  if (!passed) {
    counts.names.push(name);
    process.stdout.write(`${stdout}${stderr}\n`);
  }
}

mkdirSync(join(root, '.build'), { recursive: true });
writeFileSync(join(root, '.build/check-results.json'), JSON.stringify(counts));
process.stdout.write(`${counts.passed} checks passed, ${counts.failed} failed\n`);
process.exit(counts.failed === 0 ? 0 : 1);
