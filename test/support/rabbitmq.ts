import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@gradeway/local/ports';
import { waitFor } from './waitFor.ts';

const run = promisify(execFile);
const programs = '/usr/lib/rabbitmq/bin';

/**
 * Whether RabbitMQ is installed. Without it, the tests that need it are skipped with a warning; in CI that is an
 * error.
 */
export const hasRabbit = existsSync(`${programs}/rabbitmq-server`);

export interface Rabbit {
  url: string;
  port: number;
  /** The name of the node. */
  node: string;
  readonly pid: number;
  /** Runs `rabbitmqctl`. */
  control(...parameters: string[]): Promise<string>;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again with the same data, after it was killed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** What the nodes of a cluster share: the port of epmd, which knows their ports, and the secret that admits them. */
export interface ErlangCluster {
  epmd: number;
  cookie: string;
}

/** Starts a RabbitMQ server with a temporary data directory. With `definitions` it imports them instead of creating `guest`. */
export async function startRabbit(definitions?: string, cluster?: ErlangCluster): Promise<Rabbit> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-rabbit-'));
  const [port, distribution, ownEpmd] = await Promise.all([freePort(), freePort(), freePort()]);
  const epmd = cluster?.epmd ?? ownEpmd;
  const node = `test${port}@localhost`;
  if (cluster) await writeFile(join(directory, '.erlang.cookie'), cluster.cookie, { mode: 0o400 });
  await writeFile(join(directory, 'enabled_plugins'), '[].');
  const imported = join(directory, 'definitions.json');
  const load = definitions === undefined ? '' : `load_definitions = ${imported}\n`;
  if (definitions !== undefined) await writeFile(imported, definitions);
  const settings = 'loopback_users = none\ncluster_partition_handling = pause_minority\n';
  await writeFile(join(directory, 'rabbitmq.conf'), settings + load);
  const env = {
    PATH: process.env.PATH,
    HOME: directory,
    ERL_EPMD_PORT: String(epmd),
    RABBITMQ_NODENAME: node,
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: join(directory, 'data'),
    RABBITMQ_LOG_BASE: join(directory, 'log'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(directory, 'enabled_plugins'),
    RABBITMQ_CONFIG_FILE: join(directory, 'rabbitmq.conf'),
    RABBITMQ_PID_FILE: join(directory, 'pid'),
    // By default the schedulers busy-wait between events.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+sbwt none +sbwtdcpu none +sbwtdio none +S 2:2',
  };
  let child: ChildProcess;
  let pid = 0;
  const control = async (...parameters: string[]) =>
    (await run(`${programs}/rabbitmqctl`, ['-q', ...parameters], { env, timeout: 60_000 })).stdout;
  const start = async () => {
    child = spawn(`${programs}/rabbitmq-server`, [], { env, stdio: 'ignore', detached: true });
    await waitFor(() => acceptsConnections(port));
    await control('await_startup', '--timeout', '50');
    pid = Number(await control('eval', 'list_to_integer(os:getpid()).'));
  };
  await start();
  return {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    port,
    node,
    get pid() {
      return pid;
    },
    control,
    async kill() {
      process.kill(pid, 'SIGKILL');
      await waitFor(async () => !(await acceptsConnections(port)));
    },
    restart: start,
    stop: () => stop(child, control, directory, epmd),
  };
}

async function stop(
  child: ChildProcess,
  control: Rabbit['control'],
  directory: string,
  epmd: number,
): Promise<void> {
  await control('stop').catch(() => {});
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  } catch {}
  await run('epmd', ['-port', String(epmd), '-kill']).catch(() => {});
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });
}
