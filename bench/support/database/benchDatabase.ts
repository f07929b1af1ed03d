import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, superuserUrl } from '@gradeway/local/embeddedPostgres';
import { freePort } from '@gradeway/local/ports';
import {
  provisionDatabase,
  roleOf,
  type Schema,
  schemas,
  schemaUrl,
} from '@gradeway/local/provisionDatabase';
import { Client } from 'pg';

export interface BenchDatabase {
  pid: number;
  /** The server's log. */
  logFile: string;
  /** The URL of the owner of a schema. */
  url(schema: Schema, database?: string): string;
  /**
   * Inserts rows as the superuser: triggers and foreign keys are off, so a million rows take seconds. Ends with a
   * VACUUM, so that index-only scans do not read the table.
   */
  fill(schema: Schema, sql: string, database?: string): Promise<void>;
  /** The URL of the superuser. */
  adminUrl(database?: string): string;
  /** Runs statements as the superuser. */
  administer(sql: string, database?: string): Promise<void>;
  /** The SQL statements that the server receives from a service during `work`, with their parameters inserted. */
  statementsOf(schema: Schema, work: () => Promise<unknown>): Promise<string[]>;
  stop(): Promise<void>;
}

interface Options {
  /** The names of the databases, each of which gets all schemas. */
  databases?: string[];
  /** Whether a commit waits for the disk, as in production. */
  durable?: boolean;
}

const password = 'bench';

/** Starts PostgreSQL with the schemas and roles of all services. */
export async function startBenchDatabase({
  databases = ['bench'],
  durable = false,
}: Options = {}): Promise<BenchDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-bench-'));
  const port = await freePort();
  const logFile = join(directory, 'postgres.log');
  const data = join(directory, 'postgres');
  const postgres = await startPostgres({ directory: data, port, password, logFile, unsafe: !durable });
  const adminUrl = superuserUrl({ port, password });
  const passwords = Object.fromEntries(schemas.map((schema) => [schema, schema])) as Record<Schema, string>;
  for (const database of databases) await provisionDatabase({ adminUrl, database, passwords });
  return {
    pid: postgres.pid,
    logFile,
    url: (schema, database = 'bench') => schemaUrl(adminUrl, database, schema, schema),
    fill: (schema, sql, database = 'bench') =>
      asSuperuser(superuserUrl({ port, password }, database), async (client) => {
        // VACUUM does not mark a page as all-visible until the commit of its rows has been flushed to the log.
        const settings = `SET search_path = ${schema}; SET session_replication_role = replica; SET synchronous_commit = on`;
        await client.query(`${settings}; ${sql}`);
        await client.query('VACUUM (ANALYZE)');
      }),
    adminUrl: (database = 'bench') => superuserUrl({ port, password }, database),
    administer: (sql, database = 'postgres') =>
      asSuperuser(
        superuserUrl({ port, password }, database),
        async (client) => void (await client.query(sql)),
      ),
    async statementsOf(schema, work) {
      await logStatements(adminUrl, schema, 'all');
      const before = (await readFile(logFile, 'utf8')).length;
      await work();
      const text = (await readFile(logFile, 'utf8')).slice(before);
      await logStatements(adminUrl, schema, 'none');
      return readStatements(text);
    },
    async stop() {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function asSuperuser(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

// A changed role parameter applies only to new sessions, so the existing ones are terminated and the pool opens new
// ones.
function logStatements(adminUrl: string, schema: Schema, statements: 'all' | 'none'): Promise<void> {
  return asSuperuser(adminUrl, async (admin) => {
    await admin.query(`ALTER ROLE ${roleOf(schema)} SET log_statement = '${statements}'`);
    await admin.query(`ALTER ROLE ${roleOf(schema)} SET log_error_verbosity = 'default'`);
    const terminate = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1';
    await admin.query(terminate, [roleOf(schema)]);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  });
}

const backgroundStatements =
  /outbox SET|FROM outbox|SELECT 1$|SHOW|^SET |^BEGIN|^COMMIT|^START|pg_advisory|^LISTEN/;

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
