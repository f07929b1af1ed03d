import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Postgres,
  type PostgresOptions,
  startPostgres,
  superuserUrl,
} from '@gradeway/local/embeddedPostgres';
import { freePort } from '@gradeway/local/ports';
import { provisionDatabase, type Schema, schemas, schemaUrl } from '@gradeway/local/provisionDatabase';
import { Client } from 'pg';
import { emptyTemplate } from '../globalSetup/postgres.ts';
import { copyDataDirectory } from './copyDataDirectory.ts';
import { childrenOf } from './processUsage.ts';
import { createEmptyDatabase, type TestDatabase } from './testDatabase.ts';
import { waitFor } from './waitFor.ts';

/** A separate server with a database, and a streaming replica of it. */
export interface ReplicatedDatabase {
  primary: TestDatabase;
  primaryPid: number;
  /** The superuser's connection URLs. */
  primaryAdminUrl: string;
  replicaAdminUrl: string;
  /** The connection URL of a role at the replica. */
  replicaUrl(schema: Schema): string;
  /** Runs a query at the replica as the superuser. */
  queryReplica<Row extends object>(sql: string): Promise<Row[]>;
  /** Stops the replay of the log, or continues it. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** From now on, a commit is acknowledged only once the replica has stored it. */
  commitOnBoth(): Promise<void>;
  /** Stops the primary, which first sends its log to the replica. */
  stopPrimary(): Promise<void>;
  /** Sends a signal to every process of the primary. */
  signalPrimary(signal: 'SIGKILL' | 'SIGSTOP'): void;
  /** Kills the server of the replica. */
  killReplica(): Promise<void>;
  startReplica(): Promise<void>;
  /** Makes the replica a primary. */
  promote(): Promise<void>;
  /** Makes a promoted replica a standby again, without a primary: it replays only the log that it has, on its own timeline. */
  demote(): Promise<void>;
  close(): Promise<void>;
}

export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-replicated-'));
  const password = randomBytes(12).toString('hex');
  // Not `unsafe`, which switches synchronous commits off.
  const optionsOf = async (name: string): Promise<PostgresOptions> => ({
    directory: join(directory, name),
    port: await freePort(),
    password,
    logFile: join(directory, `${name}.log`),
  });
  const [primaryOptions, replicaOptions] = [await optionsOf('primary'), await optionsOf('replica')];
  const server = await startPostgres(primaryOptions);
  const adminUrl = superuserUrl(primaryOptions);
  const passwords = Object.fromEntries(schemas.map((schema) => [schema, schema])) as Record<Schema, string>;
  await provisionDatabase({ adminUrl, database: emptyTemplate, passwords });
  const primary = await createEmptyDatabase(adminUrl);
  await copyServer(adminUrl, primaryOptions, replicaOptions);
  let replica: Postgres = await startPostgres(replicaOptions);

  const replicaAdminUrl = superuserUrl(replicaOptions);
  const queryReplica: ReplicatedDatabase['queryReplica'] = (sql) => query(replicaAdminUrl, sql);
  // The last processes of a killed server may still be ending.
  const startReplica = async () => {
    replica = await waitFor(() => startPostgres(replicaOptions));
  };
  return {
    primary,
    primaryPid: server.pid,
    primaryAdminUrl: adminUrl,
    replicaAdminUrl,
    replicaUrl(schema) {
      const database = new URL(primary.url(schema)).pathname.slice(1);
      return schemaUrl(replicaAdminUrl, database, schema, schema);
    },
    queryReplica,
    async pauseReplay() {
      await queryReplica('SELECT pg_wal_replay_pause()');
      const state = 'SELECT pg_get_wal_replay_pause_state() AS state';
      await waitFor(async () => (await queryReplica<{ state: string }>(state))[0]?.state === 'paused');
    },
    async resumeReplay() {
      await queryReplica('SELECT pg_wal_replay_resume()');
    },
    async commitOnBoth() {
      await query(adminUrl, "ALTER SYSTEM SET synchronous_standby_names = '*'");
      await query(adminUrl, 'SELECT pg_reload_conf()');
      const state = 'SELECT sync_state AS state FROM pg_stat_replication';
      await waitFor(async () => (await query<{ state: string }>(adminUrl, state))[0]?.state === 'sync');
    },
    stopPrimary: () => server.stop(),
    signalPrimary(signal) {
      for (const pid of [...childrenOf(server.pid, 'postgres'), server.pid])
        try {
          process.kill(pid, signal);
        } catch {} // A child may end at any moment.
    },
    async killReplica() {
      process.kill(replica.pid, 'SIGKILL');
      await replica.exited;
    },
    startReplica,
    async promote() {
      await queryReplica('SELECT pg_promote()');
    },
    async demote() {
      await replica.stop();
      await writeFile(join(replicaOptions.directory, 'standby.signal'), '');
      await startReplica();
    },
    async close() {
      await replica.stop();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Copies the files of a running server to a replica that streams from it. */
async function copyServer(adminUrl: string, from: PostgresOptions, to: PostgresOptions): Promise<void> {
  await copyDataDirectory(adminUrl, from, to);
  const { port, password } = from;
  const source = `host=127.0.0.1 port=${port} user=postgres password=${password}`;
  await writeFile(join(to.directory, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(join(to.directory, 'standby.signal'), '');
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
