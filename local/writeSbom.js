// npm run sbom: writes the software bill of materials of what runs in production, in CycloneDX format.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const help = `npm run sbom [-- FILE]: writes the packages that run in production as a CycloneDX document (.build/sbom.cdx.json)`;

const parameters = process.argv.slice(2);
if (parameters.includes('--help') || parameters.includes('-h')) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}

const unknown = parameters.find((each, index) => index > 0 || each.startsWith('-'));
if (unknown !== undefined) {
  process.stderr.write(`npm run sbom has no argument ${unknown}; see --help\n`);
  process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
// npm changes to the root of the repository: a path is relative to where the command was entered.
const path = parameters[0]
  ? resolve(process.env.INIT_CWD ?? process.cwd(), parameters[0])
  : join(root, '.build/sbom.cdx.json');
// npm sets the path of its own program; otherwise the one on the PATH is used.
const npm = process.env.npm_execpath;
const [program, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
const workspaces = [
  'proto',
  'shared',
  'gateway',
  'backup',
  'services/auth',
  'services/courses',
  'services/homework',
  'services/quiz',
];
const parametersOfNpm = [
  ...first,
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--omit',
  'dev',
  ...workspaces.flatMap((each) => ['--workspace', each]),
];
const text = execFileSync(program, parametersOfNpm, {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const { components } = JSON.parse(text);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, text);
process.stdout.write(`${components.length} packages: ${path}\n`);
