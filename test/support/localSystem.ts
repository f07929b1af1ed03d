import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gradeway/local/ports';
import { fastestDirectory } from './fastestDirectory.ts';

const names = ['gateway', 'auth', 'courses', 'homework', 'quiz', 'postgres'] as const;

type Name = (typeof names)[number];

export interface LocalSystem {
  baseUrl: string;
  adminEmail: string;
  adminPassword: string;
  directory: string;
  /** The output of `npm start` so far. */
  output(): string;
  /** A process, from its file in `DATA_DIR/run`. */
  process(
    name: Name,
  ): Promise<{ pid: number; port: number; grpcPort: number | null; adminPort: number | null }>;
  log(name: Name): Promise<string>;
  /** Stops the system as Ctrl-C does. Returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills its supervisor and every process with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again with the same data. */
  start(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/**
 * Starts the whole system, as `npm start` does, on free ports and with a temporary data directory or `DATA_DIR`.
 * @param root the folder of another built checkout, to compare with this one
 */
export async function startLocalSystem(
  env: Record<string, string> = {},
  root: URL = new URL('../../', import.meta.url),
): Promise<LocalSystem> {
  const directory = env.DATA_DIR ?? (await mkdtemp(join(await fastestDirectory(), 'gradeway-system-')));
  const port = Number(env.PORT ?? (await freePort()));
  const main = fileURLToPath(new URL('local/dist/main.js', root));
  const [adminEmail, adminPassword] = ['admin@test.gradeway.local', 'a password of the tests'];
  const settings = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: String(port),
    DATA_DIR: directory,
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
    DEMO_DATA: '0',
    ...env,
  };
  let child: ChildProcess;
  let output = '';

  const start = () =>
    new Promise<void>((resolve, reject) => {
      const before = output.length;
      child = spawn(process.execPath, [main], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
      const read = (chunk: Buffer) => {
        output += chunk;
        if (output.slice(before).includes('Gradeway is ready')) resolve();
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.once('exit', () => reject(new Error(`the system ended: ${output.slice(before)}`)));
    });
  const stop = () =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
      child.once('exit', resolve);
      child.kill('SIGTERM');
    });

  const processOf = async (name: Name) =>
    JSON.parse(await readFile(join(directory, 'run', `${name}.json`), 'utf8'));

  await start();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    adminEmail,
    adminPassword,
    directory,
    start,
    stop,
    async kill() {
      const pids = await Promise.all(names.map(async (name) => (await processOf(name)).pid));
      const exited = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      for (const pid of [child.pid ?? 0, ...pids]) process.kill(pid, 'SIGKILL');
      await exited;
    },
    output: () => output,
    process: processOf,
    log: (name) => readFile(join(directory, 'logs', `${name}.log`), 'utf8'),
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
