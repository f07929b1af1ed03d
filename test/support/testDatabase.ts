import { randomBytes } from 'node:crypto';
import { type Schema, schemaUrl } from '@gradeway/local/provisionDatabase';
import { Client, Pool } from 'pg';
import { inject } from 'vitest';
import { emptyTemplate, migratedTemplate } from '../globalSetup/postgres.ts';

export interface TestDatabase {
  /** The connection URL of the role that owns a schema. */
  url(schema: Schema): string;
  /** Runs a query as the superuser. */
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Creates a database with the tables of all services and of the embedded broker, as after their first start. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createDatabase(migratedTemplate, inject('postgresUrl'), inject('pgBouncerPort'));

/**
 * Creates a database with every schema and role but no tables.
 * @param adminUrl the superuser of a server other than the test run's, which must also have the template
 */
export const createEmptyDatabase = (adminUrl?: string): Promise<TestDatabase> =>
  adminUrl
    ? createDatabase(emptyTemplate, adminUrl)
    : createDatabase(emptyTemplate, inject('postgresUrl'), inject('pgBouncerPort'));

async function createDatabase(
  template: string,
  adminUrl: string,
  pgBouncerPort?: number,
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(adminUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  const own = new URL(adminUrl);
  own.pathname = `/${name}`;
  // Tests poll for rows, and PostgreSQL starts a process for each connection. They also terminate connections and restart servers.
  const superuser = new Pool({ connectionString: own.href, max: 100 });
  superuser.on('error', () => {});
  return {
    url(schema) {
      const url = new URL(schemaUrl(adminUrl, name, schema, schema));
      // The embedded broker uses LISTEN, and is for a single machine.
      if (pgBouncerPort && schema !== 'broker') url.port = String(pgBouncerPort);
      return url.href;
    },
    query: async (sql, values) => (await superuser.query(sql, values)).rows,
    drop: async () => {
      const ended = superuser.end();
      await asSuperuser(adminUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
      await ended;
    },
  };
}

async function asSuperuser(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
