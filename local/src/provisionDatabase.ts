import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { provisionAuditLog } from './provisionAuditLog.ts';

/** The owners of schemas: the four services and the embedded broker. */
export const schemas = ['auth', 'courses', 'homework', 'quiz', 'broker'] as const;

export type Schema = (typeof schemas)[number];

export const roleOf = (schema: Schema): string => `gradeway_${schema}`;

interface Options {
  /** The URL of a superuser, or of a role that may create databases and roles. */
  adminUrl: string;
  database: string;
  passwords: Record<Schema, string>;
}

/**
 * Creates the database, the audit log, and for each schema a role that owns it and has no access to the others. Running
 * it again changes only the passwords.
 */
export async function provisionDatabase({ adminUrl, database, passwords }: Options): Promise<void> {
  await withClient(adminUrl, async (admin) => {
    // Roles belong to the whole server, so two concurrent provisioners must not both find a role missing.
    await admin.query("SELECT pg_advisory_lock(hashtext('gradeway provision'))");
    await createDatabase(admin, database);
    await withClient(withDatabase(adminUrl, database), async (client) => {
      await client.query('BEGIN');
      await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
      await client.query(`REVOKE ALL ON DATABASE ${escapeIdentifier(database)} FROM PUBLIC`);
      for (const schema of schemas) await createOwner(client, database, schema, passwords[schema]);
      await provisionAuditLog(client);
      await client.query('COMMIT');
    });
  });
}

/** The URL with which a schema's owner connects. */
export function schemaUrl(adminUrl: string, database: string, schema: Schema, password: string): string {
  const url = new URL(withDatabase(adminUrl, database));
  url.username = roleOf(schema);
  url.password = password;
  return url.href;
}

async function createDatabase(client: Client, database: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (rowCount === 0)
    await client.query(`CREATE DATABASE ${escapeIdentifier(database)} ENCODING 'UTF8' TEMPLATE template0`);
}

async function createOwner(
  client: Client,
  database: string,
  schema: Schema,
  password: string,
): Promise<void> {
  const role = escapeIdentifier(roleOf(schema));
  const name = escapeIdentifier(schema);
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [roleOf(schema)]);
  if (rowCount === 0)
    await client.query(`CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT`);
  await client.query(`ALTER ROLE ${role} PASSWORD ${escapeLiteral(password)}`);
  // Only a superuser can give a schema to a role without being a member of it.
  await client.query(`GRANT ${role} TO CURRENT_USER`);
  await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${escapeIdentifier(database)} TO ${role}`);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${name} AUTHORIZATION ${role}`);
  await client.query(`ALTER ROLE ${role} SET search_path = ${name}`);
}

function withDatabase(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
