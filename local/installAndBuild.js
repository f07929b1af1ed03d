// Installs missing packages and builds changed sources. Plain JavaScript for Node.js 20.19, because it runs before the
// installation.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fail, findNode, nodeProgram, requireNodeVersion, root } from './nodeProgram.js';
import { runWithProgress } from './runWithProgress.js';

const state = join(root, '.build');

/**
 * Makes the checkout ready to run. Takes a few milliseconds when nothing has changed since the last call.
 * @param {'runtime' | 'everything'} packages which packages are needed: only those that build and run Gradeway, or
 *   also the ones for tests, checks and benchmarks
 */
export async function installAndBuild(packages = 'everything') {
  requireNodeVersion();
  const release = await lock();
  try {
    await install(packages);
    await build();
    if (packages === 'everything') await buildClient();
  } finally {
    release();
  }
}

/** The workspaces that `npm start` builds and runs. */
const runtimeWorkspaces = [
  'proto',
  'shared',
  'gateway',
  'gateway/web',
  ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
  'local',
  'backup',
];

async function install(packages) {
  const marker = join(root, 'node_modules/.gradeway-installed');
  const lockHash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const installed = existsSync(marker) && findNode() ? readFileSync(marker, 'utf8') : '';
  if (installed === `${lockHash} everything` || installed === `${lockHash} ${packages}`) return;
  // `npm ci` deletes node_modules first. `npm start` may be running from it, so missing packages are only added.
  const isAddition = installed.startsWith(lockHash);
  const command = isAddition ? ['install', '--no-save'] : ['ci'];
  const workspaces =
    packages === 'runtime' ? runtimeWorkspaces.map((workspace) => `--workspace=${workspace}`) : [];
  // npm sets the path of its own program; otherwise the one on the PATH is used.
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  // Fails for a package whose installation would run code and that is not in `allowScripts`; older versions of npm ignore it.
  const strict = '--strict-allow-scripts';
  const options = ['--include=dev', strict, '--no-audit', '--no-fund', '--loglevel=error'];
  const title = isAddition ? 'Installing the packages of tests and tools' : 'Installing packages';
  const code = await runWithProgress(title, program, [...first, ...command, ...options, ...workspaces]);
  if (code !== 0) fail('The packages could not be installed; see above. Is the npm registry reachable?');
  removeUnusedParts();
  writeFileSync(marker, `${lockHash} ${packages}`);
}

/** Deletes 100 MB that nothing here uses: headers of Node.js, and a canvas that pdf.js needs outside browsers. */
function removeUnusedParts() {
  const modules = join(root, 'node_modules');
  const canvases = readdirSync(join(modules, '@napi-rs')).filter((name) => name.startsWith('canvas'));
  const headers = ['x64', 'arm64'].map((processor) => `node-linux-${processor}/include`);
  for (const path of [...headers, ...canvases.map((name) => `@napi-rs/${name}`)])
    rmSync(join(modules, path), { recursive: true, force: true });
}

/** The web application is built in parallel with the services: each step uses only one core for most of its time. */
async function build() {
  await Promise.all([buildServices(), buildWeb()]);
}

async function buildServices() {
  const isThere = sourceFolders().every((folder) => existsSync(join(root, folder, 'dist')));
  await buildOnce('built', fingerprint(), isThere, async () => {
    await runStep('Generating the types of the protos', [join(root, 'proto/generate.js')]);
    await runStep('Building the services', [join(root, 'node_modules/typescript/bin/tsc'), '-b']);
    await runStep('Bundling the OpenAPI document', [join(root, 'gateway/bundleOpenApi.js')]);
    await runStep('Copying the migrations', [join(root, 'backup/bundleMigrations.js')]);
  });
}

/** The web application is a separate step, because it changes and is built independently of the rest. */
async function buildWeb() {
  const folder = join(root, 'gateway/web');
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const name of ['src', 'build', 'public', 'apiTypes']) hashFolder(hash, join(folder, name));
  for (const name of ['index.html', 'vite.config.ts']) hash.update(readFileSync(join(folder, name)));
  const sources = hash.digest('hex');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await buildOnce('built-web', sources, existsSync(join(folder, 'dist/index.html')), () =>
    runStep('Building the web application', [vite, 'build', '--logLevel=warn', folder]),
  );
  // This takes seconds, only one of them for the compression itself; a change to the services does not repeat it.
  const compressor = createHash('sha256').update(sources);
  hashFolder(compressor, join(root, 'gateway/src/webFiles'));
  const isCompressed = existsSync(join(folder, 'dist/index.html.br'));
  await buildOnce('compressed-web', compressor.digest('hex'), isCompressed, () =>
    runStep('Compressing the web application', [join(root, 'gateway/src/webFiles/compressWeb.ts')]),
  );
}

/** Nothing that runs Gradeway needs it. */
async function buildClient() {
  const folder = join(root, 'clients/typescript');
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  hash.update(readFileSync(join(root, 'gateway/dist/openapi.json')));
  hashFolder(hash, join(folder, 'src'));
  for (const name of ['build.js', 'generate.js', 'package.json', 'tsconfig.json', 'tsconfig.library.json'])
    hash.update(readFileSync(join(folder, name)));
  const isThere = existsSync(join(folder, 'dist/cli/gradeway.js'));
  await buildOnce('built-client', hash.digest('hex'), isThere, () =>
    runStep('Building the client', [join(folder, 'build.js')]),
  );
}

async function runStep(title, parameters) {
  if ((await runWithProgress(title, nodeProgram(), parameters)) !== 0) fail(`${title} failed; see above.`);
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
      if (attempts === 0) process.stderr.write('Waiting for another build…\n');
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
