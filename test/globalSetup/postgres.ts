import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
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
import { openMigrationDatabase } from '@gradeway/shared/database/connection';
import { migrate } from '@gradeway/shared/database/migrate';
import { openBroker } from '@gradeway/shared/events/openBroker';
import { createLogger } from '@gradeway/shared/process/logger';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { fastestDirectory } from '../support/fastestDirectory.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgBouncer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's URL of the PostgreSQL server of the test run. */
    postgresUrl: string;
    /** The port of the PgBouncer in front of it, with PGBOUNCER_TESTS=1. */
    pgBouncerPort: number | undefined;
  }
}

/** The template of databases with every schema and role but no tables. */
export const emptyTemplate = 'gradeway_empty';
/** The template that also has the tables of all services and of the embedded broker. */
export const migratedTemplate = 'gradeway_migrated';

/** Starts one PostgreSQL server for the test run. Each test file creates its own database (testDatabase.ts). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(await fastestDirectory(), 'gradeway-test-'));
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    port,
    password,
    logFile: join(directory, 'postgres.log'),
    unsafe: true,
  });
  const adminUrl = superuserUrl({ port, password });
  const passwords = Object.fromEntries(schemas.map((schema) => [schema, schema])) as Record<Schema, string>;
  for (const database of [emptyTemplate, migratedTemplate])
    await provisionDatabase({ adminUrl, database, passwords });
  await createTables(adminUrl);
  project.provide('postgresUrl', adminUrl);
  const pooler = process.env.PGBOUNCER_TESTS === '1' ? await startPooler(adminUrl) : undefined;
  project.provide('pgBouncerPort', pooler?.port);

  return async () => {
    await pooler?.stop();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

// Otherwise each process of a test would create them, which takes longer than the rest of its start.
async function createTables(adminUrl: string): Promise<void> {
  const url = (schema: Schema) => schemaUrl(adminUrl, migratedTemplate, schema, schema);
  const log = createLogger('test', 'silent');
  const create = async (schema: Schema) => {
    if (schema === 'broker') return (await openBroker({ url: url(schema), log })).close();
    const sequelize = openMigrationDatabase({ url: url(schema), name: 'test' });
    const migrations = new URL(`../../services/${schema}/migrations/`, import.meta.url);
    await migrate(sequelize, migrations, log).finally(() => sequelize.close());
  };
  await Promise.all(schemas.map(create));
}

async function startPooler(adminUrl: string): Promise<PgBouncer> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  // Like roles.sql, because PgBouncer does not forward timeouts.
  for (const [name, value] of Object.entries({ statement_timeout: '5s', lock_timeout: '4s' }))
    for (const schema of schemas) await client.query(`ALTER ROLE ${roleOf(schema)} SET ${name} = '${value}'`);
  await client.end();
  return startPgBouncer({ postgresPort: Number(new URL(adminUrl).port) });
}
