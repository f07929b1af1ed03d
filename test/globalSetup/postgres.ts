import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, superuserUrl } from '@gradeway/local/embeddedPostgres';
import { freePort } from '@gradeway/local/ports';
import { provisionDatabase, roleOf, schemas } from '@gradeway/local/provisionDatabase';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { type PgBouncer, startPgBouncer } from '../support/pgBouncer.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's URL of the PostgreSQL server of the test run. */
    postgresUrl: string;
    /** The port of the PgBouncer in front of it, with PGBOUNCER_TESTS=1. */
    pgBouncerPort: number | undefined;
  }
}

// More than the databases of all concurrently running test files and the write-ahead log need.
const neededBytes = 4 * 1024 ** 3;

/** The template of every test database. */
export const templateDatabase = 'gradeway_template';

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
  const passwords = Object.fromEntries(schemas.map((schema) => [schema, schema])) as Record<
    (typeof schemas)[number],
    string
  >;
  await provisionDatabase({ adminUrl, database: templateDatabase, passwords });
  project.provide('postgresUrl', adminUrl);
  const pooler = process.env.PGBOUNCER_TESTS === '1' ? await startPooler(adminUrl) : undefined;
  project.provide('pgBouncerPort', pooler?.port);

  return async () => {
    await pooler?.stop();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

// A new database is some three hundred files, and each test file creates one: in memory they take no time to create and delete.
async function fastestDirectory(): Promise<string> {
  const inMemory = '/dev/shm';
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > neededBytes ? inMemory : tmpdir();
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
