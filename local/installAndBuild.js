// Installs missing packages and builds changed sources. Plain JavaScript for Node.js 20.19, because it runs before the
// installation.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The Node.js that runs everything: the npm package `node`, independent of the one that runs npm. */
export const node = join(root, 'node_modules/node/bin/node');

const state = join(root, '.build');
const print = (text) => process.stderr.write(`${text}\n`);

/** Exits with a one-line error. */
export function fail(text) {
  print(text);
  process.exit(1);
}

/** Makes the checkout ready to run. Takes a few milliseconds when nothing has changed since the last call. */
export async function installAndBuild() {
  requireNodeVersion();
  const release = await lock();
  try {
    await install();
    await build();
  } finally {
    release();
  }
}

function requireNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Gradeway needs Node.js 20.19 or later; this is ${process.versions.node}.`);
}

async function install() {
  const marker = join(root, 'node_modules/.gradeway-installed');
  const lockHash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === lockHash && existsSync(node)) return;
  // npm sets the path of its own program; otherwise the one on the PATH is used.
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const parameters = [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await run('Installing packages', program, parameters);
  if (code !== 0) fail('The packages could not be installed; see above. Is the npm registry reachable?');
  writeFileSync(marker, lockHash);
}

async function build() {
  await buildServices();
  await buildWeb();
}

async function buildServices() {
  const isThere = sourceFolders().every((folder) => existsSync(join(root, folder, 'dist')));
  await buildOnce('built', fingerprint(), isThere, async () => {
    const generated = await run('Generating types', node, [join(root, 'proto/generate.js')]);
    if (generated !== 0) fail('The types of the protos could not be generated; see above.');
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const built = await run('Building', node, [compiler, '-b']);
    if (built !== 0) fail('The build failed; see above.');
    const bundled = await run('Bundling the OpenAPI document', node, [
      join(root, 'gateway/bundleOpenApi.js'),
    ]);
    if (bundled !== 0) fail('The OpenAPI document could not be bundled; see above.');
    const copied = await run('Copying the migrations', node, [join(root, 'backup/bundleMigrations.js')]);
    if (copied !== 0) fail('The migrations could not be copied; see above.');
  });
}

/** The web application: its own step, because it changes and is built without the rest. */
async function buildWeb() {
  const folder = join(root, 'gateway/web');
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const name of ['src', 'build', 'public', 'apiTypes']) hashFolder(hash, join(folder, name));
  for (const name of ['index.html', 'vite.config.ts']) hash.update(readFileSync(join(folder, name)));
  const sources = hash.digest('hex');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await buildOnce('built-web', sources, existsSync(join(folder, 'dist/index.html')), async () => {
    const built = await run('Building the web application', node, [vite, 'build', '--logLevel=warn', folder]);
    if (built !== 0) fail('The web application could not be built; see above.');
  });
  // Seconds of work, which a change of the services does not repeat: only one of the compression itself.
  const compressor = createHash('sha256').update(sources);
  hashFolder(compressor, join(root, 'gateway/src/webFiles'));
  const isCompressed = existsSync(join(folder, 'dist/index.html.br'));
  await buildOnce('compressed-web', compressor.digest('hex'), isCompressed, async () => {
    const program = join(root, 'gateway/dist/compressWeb.js');
    const compressed = await run('Compressing the web application', node, [program]);
    if (compressed !== 0) fail('The web application could not be compressed; see above.');
  });
}

/** Builds unless the marker says that it was done for these sources. An interrupted build leaves no marker. */
async function buildOnce(name, sources, isThere, build) {
  const marker = join(state, name);
  if (isThere && existsSync(marker) && readFileSync(marker, 'utf8') === sources) return;
  rmSync(marker, { force: true });
  await build();
  writeFileSync(marker, sources);
}

const sourceFolders = () => [
  'proto',
  'shared',
  'gateway',
  'local',
  'backup',
  ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
];

/** Changes whenever a source file changes, which requires a build. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const folder of sourceFolders())
    for (const name of ['src', 'gradeway', 'migrations'])
      if (existsSync(join(root, folder, name))) hashFolder(hash, join(root, folder, name));
  return hash.digest('hex');
}

function hashFolder(hash, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = relative(root, join(entry.parentPath, entry.name));
    if (!entry.isFile() || path.split(sep).includes('generated')) continue;
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
}

/** Runs a program and shows its progress: its own output, and the elapsed time every five seconds. */
function run(title, program, parameters) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  print(`${title}…`);
  const ticker = setInterval(() => print(`${title}… ${seconds()} s`), 5_000);
  const child = spawn(program, parameters, { cwd: root, stdio: ['ignore', 2, 2] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => clearInterval(ticker));
}

/** One process installs and builds while others wait: `npm start` and `npm test` may begin at the same time. */
async function lock() {
  mkdirSync(state, { recursive: true });
  const path = join(state, 'lock');
  for (let attempts = 0; ; attempts += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`${root} cannot be written: ${error.message}`);
      if (!isHeld(path)) {
        rmSync(path, { force: true });
        continue;
      }
      if (attempts === 0) print('Waiting for another build…');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function isHeld(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
