// npm run release: publishes a version in the repository. Plain JavaScript, so that it runs before the installation.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installAndBuild } from './installAndBuild.js';
import { fail, nodeProgram, root } from './nodeProgram.js';

const help = `npm run release -- VERSION [--dry-run]: makes a release of the committed state

It sets the version everywhere, dates the section "Unreleased" of CHANGELOG.md, records the API, the events and the protos
with which later releases must be compatible, runs npm run check, commits "Release VERSION", and records that commit in
releases.json in a second one. It pushes nothing. The tree must be clean, the version higher than the present one, and
"Unreleased" not empty; from 1.0.0, entries under "Breaking" require a new major version.

  --dry-run   shows what would change, and changes nothing`;

const { values, positionals } = readArguments();
if (values.help) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}
if (positionals.length !== 1) fail('npm run release needs one version, such as 1.2.0; see --help');

await installAndBuild();
const script = join(root, 'local/release/release.ts');
const { status } = spawnSync(nodeProgram(), [script, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);

function readArguments() {
  const help = { type: 'boolean', short: 'h' };
  try {
    return parseArgs({ options: { help, 'dry-run': { type: 'boolean' } }, allowPositionals: true });
  } catch (error) {
    return fail(`npm run release: ${error.message}; see --help`);
  }
}
