import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../../clients/typescript', import.meta.url));

export interface InstalledClient {
  /** A fresh folder in which the client is the only package. */
  folder: string;
  /** The command `gradeway`. */
  command: string;
  /** Paths in the packed file. */
  packedFiles: string[];
}

/** Packs the built client and installs the packed file, as its users do. Removed after the tests of the file. */
export async function installClient(): Promise<InstalledClient> {
  const folder = await mkdtemp(join(tmpdir(), 'gradeway-client-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder, ...options], {
    cwd: source,
  });
  const [{ filename, files }] = JSON.parse(packed.stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await run('npm', ['install', '--offline', ...options, join(folder, filename)], { cwd: project });
  return {
    folder: project,
    command: join(project, 'node_modules/.bin/gradeway'),
    packedFiles: files.map(({ path }) => path).toSorted(),
  };
}

/** The packages of a folder, from its lock file. */
export async function packagesIn(folder: string): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  return Object.keys(packages).filter((path) => path !== '');
}

/** The Node.js of these tests, and the machine's own, which may be older. */
export const nodePrograms = [...new Set([process.execPath, '/usr/bin/node'])].filter(existsSync);
