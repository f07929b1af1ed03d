import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startDatabaseProxy } from '@gradeway/test/databaseProxy';
import { createEmptyDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMigrationDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createLogger, type Logger } from '../../src/process/logger.ts';

const run = promisify(execFile);
const log = createLogger('test', 'silent');
let database: TestDatabase;

beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

const migrationStep = (service: string, url: string) =>
  run(
    process.execPath,
    [fileURLToPath(new URL(`../../../services/${service}/dist/command.js`, import.meta.url)), 'migrate'],
    {
      env: { DATABASE_URL: url },
    },
  );

test('three replicas migrate an empty schema concurrently, and each migration runs once', async () => {
  const url = database.url('quiz');
  const steps = await Promise.all([1, 2, 3].map(() => migrationStep('quiz', url)));
  const logged = steps.map(({ stdout }) => stdout.match(/"msg":"migrated"/g)?.length ?? 0);
  const applied = await database.query<{ name: string }>('SELECT name FROM quiz.migrations');
  expect(applied.length).toBeGreaterThan(2);
  expect(logged.filter((count) => count > 0)).toEqual([applied.length]);
  for (const { stdout } of steps) expect(stdout).toMatch(/^quiz: the schema is up to date$/m);
});

test.each(['auth', 'courses', 'homework'] as const)(
  'the migration step of %s requires only DATABASE_URL',
  async (service) => {
    await expect(migrationStep(service, database.url(service))).resolves.toMatchObject({ stderr: '' });
  },
);

test('a failed migration step prints the reason on one line without the password and exits with 1', async () => {
  const url = database.url('quiz').replace(/\/[^/]*$/, '/missing');
  const failed = await migrationStep('quiz', url).catch((error) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^quiz: migration: .+\n$/) });
  expect(failed.stderr).not.toMatch(`${new URL(url).password}@`);
});

// Queries of requests time out after six seconds. Migrations, and the wait for one, may take longer.
test('a migration of seven seconds completes and runs once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gradeway-migrations-'));
  await writeFile(join(folder, '0001-slow.sql'), 'CREATE TABLE slow (id int); SELECT pg_sleep(7);');
  const replicas = [1, 2].map(() => openMigrationDatabase({ url: database.url('quiz'), name: 'test' }));
  try {
    await Promise.all(replicas.map((each) => migrate(each, pathToFileURL(`${folder}/`), log)));
    expect(await database.query('SELECT name FROM quiz.migrations')).toEqual([{ name: '0001-slow.sql' }]);
  } finally {
    await Promise.all(replicas.map((each) => each.close()));
    await rm(folder, { recursive: true });
  }
});

test('a new migration is applied at the next start, even one with a lower number', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gradeway-migrations-'));
  const sequelize = openMigrationDatabase({ url: database.url('quiz'), name: 'test' });
  try {
    for (const number of [1, 3, 2]) {
      await writeFile(join(folder, `000${number}.sql`), `CREATE TABLE of_file_${number} ();`);
      for (const _start of [1, 2]) await migrate(sequelize, pathToFileURL(`${folder}/`), log);
      expect(await database.query(`SELECT FROM quiz.of_file_${number}`)).toEqual([]);
    }
  } finally {
    await sequelize.close();
    await rm(folder, { recursive: true });
  }
});

test('a migration waits for a database that is unreachable or starting', async () => {
  const postgres = await startDatabaseProxy(database.url('quiz'));
  const sequelize = openMigrationDatabase({ url: postgres.url, name: 'test' });
  const warnings: string[] = [];
  const recorded = { warn: (_: object, text: string) => warnings.push(text), info() {} } as unknown as Logger;
  const migrations = new URL('../../../services/quiz/migrations/', import.meta.url);
  try {
    postgres.refuse();
    const migrating = migrate(sequelize, migrations, recorded);
    await waitFor(() => warnings.length > 0);
    await postgres.startUp();
    await postgres.restore();
    await migrating;
    expect(new Set(warnings)).toEqual(new Set(['waiting for the database']));
    expect(await database.query('SELECT count(*) FROM quiz.quizzes')).toEqual([{ count: '0' }]);
  } finally {
    await sequelize.close();
    postgres.close();
  }
});
