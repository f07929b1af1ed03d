import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { freePort } from '@gradeway/local/ports';
import { waitFor } from './waitFor.ts';

const run = promisify(execFile);
const installed = ['valkey', 'redis'].find((name) => existsSync(`/usr/bin/${name}-server`));

/**
 * Whether Valkey or Redis is installed. Without it, the tests that need it are skipped with a warning; in CI that is an
 * error.
 */
export const hasValkey = installed !== undefined;

export interface Valkey {
  url: string;
  password: string;
  /** Every key, one per line. */
  keys(): Promise<string>;
  /** Stops it with SIGSTOP, so that connections stay open without a response. */
  pause(): void;
  resume(): void;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again without its data, after it was killed. */
  start(): Promise<void>;
}

/** Starts a Valkey or Redis server in memory, with a password. */
export async function startValkey(): Promise<Valkey> {
  const port = await freePort();
  const password = 'a password of the store';
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--requirepass', password, '--save', ''];
  let server: ChildProcess;
  const start = async () => {
    server = spawn(`/usr/bin/${installed}-server`, [...options, '--dir', tmpdir()], { stdio: 'ignore' });
    await waitFor(() => acceptsConnections(port));
  };
  await start();
  return {
    url: `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    password,
    async keys() {
      const env = { REDISCLI_AUTH: password, VALKEYCLI_AUTH: password };
      return (await run(`/usr/bin/${installed}-cli`, ['-p', String(port), 'KEYS', '*'], { env })).stdout;
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    },
    start,
  };
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });
}
