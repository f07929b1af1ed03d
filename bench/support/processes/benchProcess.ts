import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mallocSettings } from '@gradeway/local/mallocSettings';
import { freePort } from '@gradeway/local/ports';
import type { Schema } from '@gradeway/local/provisionDatabase';
import { type FakePeers, serviceSecret } from '@gradeway/test/fakePeers';
import type { TokenIssuer } from '@gradeway/test/tokenIssuer';
import type { BenchDatabase } from '../database/benchDatabase.ts';

export interface BenchProcess {
  name: string;
  url: string;
  grpcAddress: string;
  pid: number;
  /** The directory of its files. */
  directory: string;
  /** The resident memory in bytes: current, and the maximum since `resetPeak`. */
  memory(): Promise<number>;
  peakMemory(): Promise<number>;
  resetPeak(): Promise<void>;
  stop(): Promise<void>;
}

interface Surroundings {
  database: Pick<BenchDatabase, 'url'>;
  /** The name of the database, `bench` by default. */
  databaseName?: string;
  peers: Pick<FakePeers, 'authGrpc' | 'coursesGrpc'>;
  tokens: Pick<TokenIssuer, 'jwksUrl'>;
  env?: Record<string, string>;
}

/** Starts a built service, or the gateway, as it is deployed, and waits until it is ready. */
export async function startBenchProcess(
  name: Exclude<Schema, 'broker'> | 'gateway',
  { database, databaseName, peers, tokens, env }: Surroundings,
): Promise<BenchProcess> {
  const directory = await mkdtemp(join(tmpdir(), `gradeway-bench-${name}-`));
  const [port, grpcPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  const folder = name === 'gateway' ? 'gateway' : `services/${name}`;
  const main = fileURLToPath(new URL(`../../../${folder}/dist/main.js`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...mallocSettings,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      ...{ PORT: `${port}`, GRPC_PORT: `${grpcPort}`, ADMIN_PORT: `${adminPort}` },
      ...(name === 'gateway' ? {} : { DATABASE_URL: database.url(name, databaseName) }),
      EVENTS_URL: database.url('broker', databaseName),
      ...{ SERVICE_SECRET: serviceSecret, FILE_URL_SECRET: 'a secret of the benchmark' },
      ...{ KEY_ENCRYPTION_SECRET: 'a secret of the benchmark for keys', OTP_TO_LOG: '1' },
      WEBHOOK_ENCRYPTION_SECRET: 'a secret of the benchmark for webhooks',
      ...{ FILES_DIR: join(directory, 'files'), UPLOAD_DIR: join(directory, 'uploads') },
      IMPORT_DIR: join(directory, 'import'),
      ...{ AUTH_GRPC: peers.authGrpc, COURSES_GRPC: peers.coursesGrpc, JWKS_URL: tokens.jwksUrl },
      ...env,
    },
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  // Checks the readiness of this process alone, because some services behind a benchmark's gateway are missing.
  const ready = `http://127.0.0.1:${adminPort}/readyz/self`;
  while (!(await fetch(ready).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`${name} ended; its error is above`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const status = async (field: string) => {
    const text = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) * 1024;
  };
  return {
    ...{ name, url, directory, grpcAddress: `127.0.0.1:${grpcPort}`, pid: child.pid ?? 0 },
    memory: () => status('VmRSS'),
    peakMemory: () => status('VmHWM'),
    resetPeak: () => writeFile(`/proc/${child.pid}/clear_refs`, '5'),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
