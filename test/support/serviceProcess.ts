import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gradeway/local/ports';
import type { Schema } from '@gradeway/local/provisionDatabase';
import { type FakePeers, serviceSecret } from './fakePeers.ts';
import { createHttpClient } from './httpClient.ts';
import type { TestDatabase } from './testDatabase.ts';
import type { TokenIssuer } from './tokenIssuer.ts';
import { waitFor } from './waitFor.ts';

export interface ServiceProcess {
  url: string;
  grpcAddress: string;
  adminUrl: string;
  /** The directory of its files, uploads and imports. */
  directory: string;
  /** Its log so far. */
  log(): string;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Starts it again with the same settings, after it was killed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  service: Exclude<Schema, 'broker'> | 'gateway';
  database: TestDatabase;
  peers: Pick<FakePeers, 'authGrpc' | 'coursesGrpc'>;
  tokens: Pick<TokenIssuer, 'jwksUrl'>;
  env?: Record<string, string>;
  /** The URL of the folder of another built checkout, such as the previous release. */
  root?: string | URL;
}

const present = new URL('../../', import.meta.url);

/** Starts the built service, or the gateway, as a process, and waits until it is ready. */
export async function startService({
  service,
  database,
  peers,
  tokens,
  env,
  root = present,
}: Options): Promise<ServiceProcess> {
  const directory = await mkdtemp(join(tmpdir(), `gradeway-${service}-`));
  const [freeHttpPort, grpcPort, adminPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const port = Number(env?.PORT ?? freeHttpPort);
  const folder = service === 'gateway' ? 'gateway' : `services/${service}`;
  const main = fileURLToPath(new URL(`${folder}/dist/main.js`, root));
  const settings = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    HOST: '127.0.0.1',
    PORT: String(port),
    GRPC_PORT: String(grpcPort),
    ADMIN_PORT: String(adminPort),
    DATABASE_URL: service === 'gateway' ? undefined : database.url(service),
    EVENTS_URL: database.url('broker'),
    SERVICE_SECRET: serviceSecret,
    WEBHOOK_ENCRYPTION_SECRET: 'a test secret for webhooks',
    FILE_URL_SECRET: 'a test secret for files',
    OTP_TO_LOG: '1',
    FILES_DIR: join(directory, 'files'),
    UPLOAD_DIR: join(directory, 'uploads'),
    IMPORT_DIR: join(directory, 'import'),
    AUTH_GRPC: peers.authGrpc,
    COURSES_GRPC: peers.coursesGrpc,
    JWKS_URL: tokens.jwksUrl,
    ...env,
  };
  let child: ChildProcess;
  let output = '';
  const url = `http://127.0.0.1:${port}`;
  const client = createHttpClient({ baseUrl: url });

  const start = async () => {
    // With an IPC channel, the service stops when the test run is killed.
    child = spawn(process.execPath, [main], { env: settings, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const isReady = async () => (await client.get('/readyz').catch(() => undefined))?.status === 200;
    await waitFor(async () => child.exitCode !== null || (await isReady()), 90_000);
    if (child.exitCode !== null) throw new Error(`${service} ended: ${output}`);
  };
  await start();
  return {
    url,
    grpcAddress: `127.0.0.1:${grpcPort}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    directory,
    log: () => output,
    get pid() {
      return child.pid ?? 0;
    },
    kill: (signal) => child.kill(signal),
    start,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => {
          child.once('exit', resolve);
        });
      await rm(directory, { recursive: true, force: true });
    },
  };
}
