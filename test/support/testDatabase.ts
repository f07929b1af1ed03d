import { randomBytes } from 'node:crypto';
import { type Schema, schemaUrl } from '@gradeway/local/provisionDatabase';
import { Client } from 'pg';
import { inject } from 'vitest';
import { templateDatabase } from './startPostgres.ts';

export interface TestDatabase {
  /** The URL by which a schema's own role connects. */
  url(schema: Schema): string;
  /** Runs a query as the superuser, who sees every schema. */
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A database of this test file's own, with every schema and role and no table yet. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(adminUrl, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${templateDatabase}`),
  );
  const own = new URL(adminUrl);
  own.pathname = `/${name}`;
  return {
    url: (schema) => schemaUrl(adminUrl, name, schema, schema),
    query: async (sql, values) => (await asSuperuser(own.href, (client) => client.query(sql, values))).rows,
    drop: async () => {
      await asSuperuser(adminUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

async function asSuperuser<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
