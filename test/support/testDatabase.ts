import { randomBytes } from 'node:crypto';
import { type Schema, schemaUrl } from '@gradeway/local/provisionDatabase';
import { Client } from 'pg';
import { inject } from 'vitest';
import { templateDatabase } from '../globalSetup/postgres.ts';

export interface TestDatabase {
  /** The connection URL of the role that owns a schema. */
  url(schema: Schema): string;
  /** Runs a query as the superuser. */
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/**
 * Creates a database with every schema and role, and without tables.
 * @param adminUrl the superuser of another server than that of the test run, which has the template too
 */
export async function createTestDatabase(adminUrl?: string): Promise<TestDatabase> {
  if (adminUrl) return createDatabase(adminUrl);
  return createDatabase(inject('postgresUrl'), inject('pgBouncerPort'));
}

async function createDatabase(adminUrl: string, pgBouncerPort?: number): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(adminUrl, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${templateDatabase}`),
  );
  const own = new URL(adminUrl);
  own.pathname = `/${name}`;
  const superuser = new SuperuserQueries(own.href);
  return {
    url(schema) {
      const url = new URL(schemaUrl(adminUrl, name, schema, schema));
      // The embedded broker uses LISTEN, and is for a single machine.
      if (pgBouncerPort && schema !== 'broker') url.port = String(pgBouncerPort);
      return url.href;
    },
    query: async (sql, values) => (await superuser.run((client) => client.query(sql, values))).rows,
    drop: async () => {
      await superuser.end();
      await asSuperuser(adminUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** Runs queries on one connection: tests poll for rows, and PostgreSQL starts a process for each connection. */
class SuperuserQueries {
  readonly #url: string;
  #idle: Client | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** While the connection is in use, for example by a query that waits for a lock, other queries get another one. */
  async run<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = this.#idle ?? (await this.#open());
    this.#idle = undefined;
    try {
      const result = await work(client);
      if (!this.#idle) this.#idle = client;
      return result;
    } finally {
      if (this.#idle !== client) await client.end();
    }
  }

  // Tests restart the server and terminate connections.
  async #open(): Promise<Client> {
    const client = await connect(this.#url);
    client.once('end', () => {
      if (this.#idle === client) this.#idle = undefined;
    });
    return client;
  }

  async end(): Promise<void> {
    await this.#idle?.end();
    this.#idle = undefined;
  }
}

async function asSuperuser(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = await connect(url);
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}
