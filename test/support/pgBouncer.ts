import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gradeway/local/ports';
import { roleOf, schemas } from '@gradeway/local/provisionDatabase';
import { Client } from 'pg';
import { waitFor } from './waitFor.ts';

const built = fileURLToPath(new URL('../../.build/pgbouncer/pgbouncer', import.meta.url));
const program = [process.env.PGBOUNCER, built, 'pgbouncer', '/usr/sbin/pgbouncer'].find(
  (path) => path && isRecent(path),
);

/**
 * Whether there is a PgBouncer that supports prepared statements in transaction mode (1.21): `PGBOUNCER`, the one that
 * `test/thirdParty/pgbouncer` builds, or an installed one. Without it, the tests that need it are skipped with a
 * warning; in CI that is an error.
 */
export const hasPgBouncer = program !== undefined;

export interface PgBouncer {
  readonly pid: number;
  port: number;
  /** The connection URL of a database through PgBouncer. */
  url(databaseUrl: string): string;
  /** The rows of a SHOW command of its console, such as `POOLS`. */
  show<Row extends object>(what: string): Promise<Row[]>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again after it was killed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  /** The port of PostgreSQL on this machine. */
  postgresPort: number;
  /** Settings that replace or extend the ones of k8s/README.md. */
  settings?: Record<string, string | number>;
}

const administrator = { user: 'console', password: 'the console of the tests' };

/** Starts PgBouncer for the roles of the test databases, with the settings that k8s/README.md requires. */
export async function startPgBouncer({ postgresPort, settings = {} }: Options): Promise<PgBouncer> {
  if (!program) throw new Error('no PgBouncer 1.21 or later: build one with test/thirdParty/pgbouncer');
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-pgbouncer-'));
  const port = await freePort();
  const users = Object.fromEntries(schemas.map((schema) => [roleOf(schema), schema]));
  const userList = Object.entries({ ...users, [administrator.user]: administrator.password });
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(directory, 'users.txt'),
    admin_users: administrator.user,
    // It refuses to run as root, and reads the user list with this user's permissions.
    ...(process.getuid?.() === 0 ? { user: 'nobody' } : {}),
    ...(await documentedSettings()),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const configuration = `[databases]\n* = host=127.0.0.1 port=${postgresPort}\n[pgbouncer]\n${lines.join('\n')}\n`;
  const file = join(directory, 'pgbouncer.ini');
  await chmod(directory, 0o755);
  await writeFile(file, configuration);
  await writeFile(
    join(directory, 'users.txt'),
    userList.map(([user, password]) => `"${user}" "${password}"\n`).join(''),
    { mode: 0o644 },
  );

  let child: ChildProcess;
  let output = '';
  const show: PgBouncer['show'] = async (what) => {
    const client = new Client({ host: '127.0.0.1', port, ...administrator, database: 'pgbouncer' });
    client.on('error', () => {});
    await client.connect();
    return (await client.query(`SHOW ${what}`).finally(() => client.end())).rows;
  };
  const start = async () => {
    child = spawn(program, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const isReady = () => show('VERSION').then(Boolean, () => false);
    await waitFor(async () => child.exitCode !== null || (await isReady()));
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${output}`);
  };
  const kill = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  await start();
  return {
    get pid() {
      return child.pid ?? 0;
    },
    port,
    url(databaseUrl) {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
    show,
    kill,
    start,
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The settings that the operators' documentation requires. */
async function documentedSettings(): Promise<Record<string, string>> {
  const readme = await readFile(new URL('../../k8s/README.md', import.meta.url), 'utf8');
  const block = /^## PgBouncer$.*?^```ini\n(.*?)^```$/ms.exec(readme)?.[1];
  if (!block) throw new Error('k8s/README.md has no settings of PgBouncer');
  const lines = block.split('\n').filter((line) => line.trim() !== '' && !/^\s*;/.test(line));
  return Object.fromEntries(lines.map((line) => line.split(/\s*=\s*/, 2)));
}

function isRecent(path: string): boolean {
  try {
    const [, major, minor] =
      /^PgBouncer (\d+)\.(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' })) ?? [];
    return Number(major) > 1 || Number(minor) >= 21;
  } catch {
    return false;
  }
}
