// Installs and builds what is missing. Plain JavaScript for Node 20.19: it runs before anything was installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The Node that everything runs on: the npm package `node`, whatever Node started npm. */
export const node = join(root, 'node_modules/node/bin/node');

const state = join(root, '.build');
const say = (text) => process.stderr.write(`${text}\n`);

/** Ends the process with one clear line. */
export function fail(text) {
  say(text);
  process.exit(1);
}

/** Makes the checkout ready to run; where nothing has changed since the last time, in a few milliseconds. */
export async function prepare() {
  requireNode();
  const release = await lock();
  try {
    await install();
    await build();
  } finally {
    release();
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Gradeway needs Node 20.19 or later; this is ${process.versions.node}.`);
}

async function install() {
  const marker = join(root, 'node_modules/.gradeway-installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted && existsSync(node)) return;
  // Under npm its own program is known; without, the one on the PATH.
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const parameters = [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await run('Installing packages', program, parameters);
  if (code !== 0) fail('The packages could not be installed. Is the npm registry within reach? See above.');
  writeFileSync(marker, wanted);
}

async function build() {
  const marker = join(state, 'built');
  const wanted = fingerprint();
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  const generated = await run('Generating types', node, [join(root, 'proto/generate.js')]);
  if (generated !== 0) fail('The types of the protocol could not be generated. See above.');
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const built = await run('Building', node, [compiler, '-b']);
  if (built !== 0) fail('The build failed. See above.');
  writeFileSync(marker, wanted);
}

/** What every source looks like: a build is needed when one of them is another than last time. */
function fingerprint() {
  const hash = createHash('sha256');
  const folders = [
    'proto',
    'shared',
    'gateway',
    'local',
    ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
  ];
  for (const folder of folders) {
    const names = ['src', 'gradeway'].filter((name) => existsSync(join(root, folder, name)));
    for (const name of names) hashFolder(hash, join(root, folder, name));
    hash.update(String(existsSync(join(root, folder, 'dist'))));
  }
  return hash.digest('hex');
}

function hashFolder(hash, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes('/generated/')) continue;
    const { size, mtimeMs } = statSync(path);
    hash.update(`${relative(root, path)} ${size} ${mtimeMs}\n`);
  }
}

/** Runs a program and shows that something goes on: its own words, and the seconds where nobody sees a bar. */
function run(what, program, parameters) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  say(`${what}…`);
  const ticker = setInterval(() => say(`${what}… ${seconds()} s`), 5_000);
  const child = spawn(program, parameters, { cwd: root, stdio: ['ignore', 2, 2] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => clearInterval(ticker));
}

/** One installs and builds, the others wait: `npm start` and `npm test` may begin at the same time. */
async function lock() {
  mkdirSync(state, { recursive: true });
  const path = join(state, 'lock');
  for (let waited = 0; ; waited += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch {
      if (waited === 0 && lives(path)) say('Waiting for another build…');
      if (!lives(path)) rmSync(path, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function lives(path) {
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
