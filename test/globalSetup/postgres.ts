import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, superuserUrl } from '@gradeway/local/embeddedPostgres';
import { freePort } from '@gradeway/local/ports';
import { provisionDatabase, schemas } from '@gradeway/local/provisionDatabase';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's URL of the PostgreSQL server of the test run. */
    postgresUrl: string;
  }
}

/** The template of every test database. */
export const templateDatabase = 'gradeway_template';

/** Starts one PostgreSQL server for the test run. Each test file creates its own database (testDatabase.ts). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-test-'));
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

  return async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
