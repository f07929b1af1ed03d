import { readFile } from 'node:fs/promises';
import { provisionDatabase, type Schema, schemas, schemaUrl } from '@gradeway/local/provisionDatabase';
import { openDatabase } from '@gradeway/shared/database/connection';
import { query } from '@gradeway/shared/database/query';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

const services = schemas.filter((schema) => schema !== 'broker');
const [name, likeLocal] = ['test_roles_by_sql', 'test_roles_like_local'];

async function connected<T>(url: string, work: (client: Client) => Promise<T>, options = ''): Promise<T> {
  const client = new Client({ connectionString: url, options });
  client.on('error', () => {});
  await client.connect();
  return work(client).finally(() => client.end());
}

const superuser = <T>(work: (client: Client) => Promise<T>, database = name, options = '') => {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${database}`;
  return connected(url.href, work, options);
};

// Roles are global to the server, which other tests use at the same time, so they keep the passwords that all tests
// share.
const passwords = services.map((service) => `-c gradeway.${service}_password=${service}`).join(' ');

beforeEach(async () => {
  await superuser((client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`), 'postgres');
  const sql = await readFile(new URL('../../k8s/platform/postgres/roles.sql', import.meta.url), 'utf8');
  for (const _ of ['once', 'once more']) await superuser((client) => client.query(sql), name, passwords);
});
afterEach(async () => {
  for (const each of [name, likeLocal])
    await superuser((client) => client.query(`DROP DATABASE IF EXISTS ${each} WITH (FORCE)`), 'postgres');
});

test('the SQL for Kubernetes grants the same rights as npm start', async () => {
  const own = Object.fromEntries(schemas.map((schema) => [schema, schema])) as Record<Schema, string>;
  await provisionDatabase({ adminUrl: inject('postgresUrl'), database: likeLocal, passwords: own });
  const rights = `
    SELECT nspname AS name, pg_get_userbyid(nspowner) AS owner, nspacl::text AS rights FROM pg_namespace
    WHERE nspname = ANY($1) OR nspname IN ('public', 'audit')
    UNION ALL
    SELECT relname, pg_get_userbyid(relowner), concat(relacl::text, pg_get_indexdef(oid),
      (SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity), ',')
       FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0))
    FROM pg_class WHERE relnamespace = 'audit'::regnamespace
    UNION ALL
    SELECT 'database', '', (SELECT string_agg(item::text, ' ' ORDER BY item::text) FROM unnest(datacl) item
      WHERE item::text !~ 'gradeway_broker')
    FROM pg_database WHERE datname = current_database()
    ORDER BY name`;
  const bySql = await superuser((client) => client.query(rights, [services]));
  expect(bySql.rows.map((row) => row.name)).toEqual(
    expect.arrayContaining([...services, 'public', 'database', 'audit', 'entries', 'entries_newest']),
  );
  const byCode = await superuser((client) => client.query(rights, [services]), likeLocal);
  expect(bySql.rows).toEqual(byCode.rows);
});

test.each(services)(
  'the role of %s owns its schema, can create tables in it, and reaches no other schema',
  async (service) => {
    const url = schemaUrl(inject('postgresUrl'), name, service, service);
    await connected(url, async (client) => {
      await client.query('CREATE TABLE made (id int)');
      const { rows } = await client.query("SELECT schemaname FROM pg_tables WHERE tablename = 'made'");
      expect(rows).toEqual([{ schemaname: service }]);
      for (const other of [...services, 'public'].filter((each) => each !== service))
        await expect(client.query(`CREATE TABLE ${other}.foreign_one (id int)`)).rejects.toMatchObject({
          code: '42501',
        });
    });
  },
);

test.each(services)(
  'the role of %s has the timeouts that its processes set, which PgBouncer does not pass on',
  async (service) => {
    const url = schemaUrl(inject('postgresUrl'), name, service, service);
    const timeouts = `SELECT name, setting FROM pg_settings WHERE name ~ '_timeout$' ORDER BY name`;
    const ofRole = await connected(url, async (client) => (await client.query(timeouts)).rows);
    const sequelize = openDatabase({ url, name: 'test', pool: 1 });
    const ofProcess = await query(sequelize, { sql: timeouts }).finally(() => sequelize.close());
    expect(ofRole).toEqual(ofProcess);
    expect(ofRole).toContainEqual({ name: 'statement_timeout', setting: '5000' });
  },
);

describe('the audit log', () => {
  const asOwnerOf = <T>(service: Schema, work: (client: Client) => Promise<T>) =>
    connected(schemaUrl(inject('postgresUrl'), name, service, service), work);
  const refused = { code: '42501' };

  test('auth can add and read entries of the audit log, but neither change nor delete them', async () => {
    await asOwnerOf('auth', async (client) => {
      await client.query(
        "INSERT INTO audit.entries (entry_id, at, action) VALUES (gen_random_uuid(), now(), 'user.created')",
      );
      for (const statement of [
        "UPDATE audit.entries SET action = 'user.deleted'",
        'DELETE FROM audit.entries',
        'TRUNCATE audit.entries',
        'DROP TABLE audit.entries',
        'DROP SCHEMA audit CASCADE',
        'ALTER TABLE audit.entries ADD COLUMN more text',
        'ALTER TABLE audit.entries OWNER TO gradeway_auth',
        'CREATE TRIGGER empty BEFORE INSERT ON audit.entries EXECUTE FUNCTION suppress_redundant_updates_trigger()',
        'CREATE RULE nothing AS ON INSERT TO audit.entries DO INSTEAD NOTHING',
        'SET ROLE gradeway_audit',
        'SELECT action FROM audit.entries FOR UPDATE',
      ])
        await expect(client.query(statement), statement).rejects.toMatchObject(refused);
      // Granting without the required privilege is a warning, not an error.
      await client.query('GRANT DELETE ON audit.entries TO gradeway_auth').catch(() => {});
      await expect(client.query('DELETE FROM audit.entries')).rejects.toMatchObject(refused);
      const { rows } = await client.query('SELECT action FROM audit.entries');
      expect(rows).toEqual([{ action: 'user.created' }]);
    });
  });

  test.each(services.filter((service) => service !== 'auth'))(
    '%s cannot access the audit log',
    async (service) => {
      await asOwnerOf(service, async (client) => {
        for (const statement of [
          'SELECT action FROM audit.entries',
          "INSERT INTO audit.entries (entry_id, at, action) VALUES (gen_random_uuid(), now(), 'user.created')",
        ])
          await expect(client.query(statement), statement).rejects.toMatchObject(refused);
      });
    },
  );
});
