import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export interface Release {
  /** Its version, or its commit if PREVIOUS names one. */
  version: string;
  /** The URL of a folder with its built sources. */
  root: string;
}

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Builds the previous release from the history of the repository: the newest entry of `releases.json`, or the commit
 * that PREVIOUS names. Each commit is built once, in `.build/releases`. Undefined before the first release.
 */
export async function buildPreviousRelease(): Promise<Release | undefined> {
  const release = await findRelease();
  if (!release) return undefined;
  const { version, commit } = release;
  const folder = join(repository, '.build/releases', commit);
  if (!existsSync(folder)) {
    // An interrupted build leaves only this folder.
    const unfinished = `${folder}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    await checkOut(commit, unfinished);
    process.stderr.write(`Building the previous release, ${version}, which takes two minutes…\n`);
    await build(unfinished);
    await rename(unfinished, folder);
  }
  return { version, root: pathToFileURL(`${folder}/`).href };
}

async function findRelease(): Promise<{ version: string; commit: string } | undefined> {
  const { PREVIOUS } = process.env;
  if (PREVIOUS) {
    const commit = await git('rev-parse', '--verify', `${PREVIOUS}^{commit}`);
    return { version: commit.slice(0, 8), commit };
  }
  const file = join(repository, 'releases.json');
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')).releases[0] : undefined;
}

async function checkOut(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'sources.tar');
  await git('archive', `--output=${archive}`, commit).catch((error) => {
    throw new Error(`the history of the repository lacks ${commit}; fetch it with git fetch --unshallow`, {
      cause: error,
    });
  });
  await run('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
}

/** Uses the release's own script, which knows its packages and steps, and shows its progress. */
async function build(folder: string): Promise<void> {
  const script = pathToFileURL(join(folder, 'local/installAndBuild.js')).href;
  const code = `await (await import(${JSON.stringify(script)})).installAndBuild('runtime')`;
  const parameters = ['--input-type=module', '--eval', code];
  // The test run's NODE_ENV would build the web application for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, parameters, {
    cwd: folder,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error('the previous release could not be built; see above');
}

const git = async (...parameters: string[]): Promise<string> =>
  (await run('git', parameters, { cwd: repository })).stdout.trim();
