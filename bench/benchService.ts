import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres, superuserUrl } from '@gradeway/local/embeddedPostgres';
import { mallocSettings } from '@gradeway/local/mallocSettings';
import { freePort } from '@gradeway/local/ports';
import { provisionDatabase, type Schema, schemas, schemaUrl } from '@gradeway/local/provisionDatabase';
import { type FakePeers, serviceSecret, startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { Client } from 'pg';

export interface Service {
  url: string;
  /** The URL of the owner of the schema. */
  databaseUrl: string;
  peers: FakePeers;
  tokens: TokenIssuer;
  /** The SQL statements that PostgreSQL receives during `work`, with their parameters inserted. */
  statementsOf(work: () => Promise<unknown>): Promise<string[]>;
  /** The resident memory of the process in bytes: current, and the maximum since `resetPeak`. */
  memory(): Promise<number>;
  peakMemory(): Promise<number>;
  resetPeak(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one service as it is deployed, with its own PostgreSQL and fake peers. */
export async function startBenchService(name: 'quiz' | 'homework'): Promise<Service> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-bench-'));
  const password = 'bench';
  const [databasePort, port, grpcPort, adminPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const logFile = join(directory, 'postgres.log');
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    port: databasePort,
    password,
    logFile,
    unsafe: true,
  });
  const adminUrl = superuserUrl({ port: databasePort, password });
  const passwords = Object.fromEntries(schemas.map((schema) => [schema, schema])) as Record<Schema, string>;
  await provisionDatabase({ adminUrl, database: 'bench', passwords });
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const databaseUrl = schemaUrl(adminUrl, 'bench', name, name);
  const main = fileURLToPath(new URL(`../services/${name}/dist/main.js`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...mallocSettings,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      ...{ PORT: `${port}`, GRPC_PORT: `${grpcPort}`, ADMIN_PORT: `${adminPort}` },
      ...{ DATABASE_URL: databaseUrl, EVENTS_URL: schemaUrl(adminUrl, 'bench', 'broker', 'broker') },
      ...{ SERVICE_SECRET: serviceSecret, FILE_URL_SECRET: 'a secret of the benchmark' },
      ...{ FILES_DIR: join(directory, 'files'), UPLOAD_DIR: join(directory, 'uploads') },
      ...{ AUTH_GRPC: peers.authGrpc, COURSES_GRPC: peers.coursesGrpc, JWKS_URL: tokens.jwksUrl },
    },
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok)
    await new Promise((resolve) => setTimeout(resolve, 100));

  const status = async (field: string) => {
    const text = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) * 1024;
  };
  return {
    ...{ url, databaseUrl, peers, tokens },
    async statementsOf(work) {
      await logging(adminUrl, name, 'all');
      await fetch(`${url}/readyz`);
      const before = (await readFile(logFile, 'utf8')).length;
      await work();
      const text = (await readFile(logFile, 'utf8')).slice(before);
      await logging(adminUrl, name, 'none');
      return readStatements(text);
    },
    memory: () => status('VmRSS'),
    peakMemory: () => status('VmHWM'),
    resetPeak: async () => {
      await writeFile(`/proc/${child.pid}/clear_refs`, '5');
    },
    async stop() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      await Promise.all([peers.close(), tokens.close()]);
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

// A changed parameter of a role applies only to new sessions, so the current ones are terminated; the pool opens others.
async function logging(adminUrl: string, name: string, statements: 'all' | 'none'): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`ALTER ROLE gradeway_${name} SET log_statement = '${statements}'`);
  await admin.query(`ALTER ROLE gradeway_${name} SET log_error_verbosity = 'default'`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
    `gradeway_${name}`,
  ]);
  await admin.end();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
}

const backgroundStatements = /outbox|SELECT 1$|SHOW|^SET |^BEGIN|^COMMIT|^START/;

function readStatements(log: string): string[] {
  const found: string[] = [];
  const entry =
    /LOG: {2}(?:execute [^:]*|statement): ([\s\S]*?)\n(?=\d{4}-|$)(?:[^\n]*DETAIL: {2}Parameters: ([^\n]*)\n)?/g;
  for (const [, sql = '', parameters = ''] of log.matchAll(entry)) {
    if (backgroundStatements.test(sql.trim())) continue;
    const values = new Map(
      [...parameters.matchAll(/\$(\d+) = ('(?:[^']|'')*'|NULL)/g)].map(([, n, value]) => [n, value]),
    );
    found.push(
      sql
        .trim()
        .replaceAll(/\$(\d+)/g, (_, n: string) => values.get(n) ?? 'NULL')
        .replace(/;$/, ''),
    );
  }
  return found;
}

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
