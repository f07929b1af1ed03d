// Which Node.js runs Gradeway. Plain JavaScript for Node.js 20.19, because it runs before the installation.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const minimum = 24;
const { platform, arch, versions } = process;
// Only Linux has a current package: package-lock.json pins its content, and npm installs the one of this processor.
const packaged = join(root, `node_modules/node-${platform}-${arch}/bin/node`);
const isPackaged = platform === 'linux' && ['x64', 'arm64'].includes(arch);

/** Exits with a one-line error. */
export function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** Fails unless the running Node.js can install the packages and, without a package of Node.js, run Gradeway. */
export function requireNodeVersion() {
  const [major, minor] = versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Gradeway needs Node.js 20.19 or later; this is ${versions.node}.`);
  if (!isPackaged && major < minimum) failWithoutNode();
}

/** The path of the Node.js that runs everything: the package's, or else the running one if it is recent enough. */
export function findNode() {
  if (isPackaged && existsSync(packaged)) return packaged;
  return Number.parseInt(versions.node, 10) >= minimum ? process.execPath : undefined;
}

/** As `findNode`, after the installation. */
export function nodeProgram() {
  return findNode() ?? failWithoutNode();
}

/** The PATH on which `node` is the one that runs everything. */
export function pathWithNode(...folders) {
  return [dirname(nodeProgram()), ...folders, process.env.PATH].join(delimiter);
}

function failWithoutNode() {
  fail(
    `Gradeway has no Node.js package for ${platform} ${arch}: install Node.js ${minimum} or later (https://nodejs.org); this is ${versions.node}.`,
  );
}
