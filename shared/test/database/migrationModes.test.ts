import { join } from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMigration } from '../../src/database/readMigration.ts';
import { createMigrationFolder, type MigrationFolder } from './migrationFolder.ts';

const index = `-- migrate: concurrently
-- Finds notes by their text.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notes_body
  ON notes (body);
`;
const backfill = `-- migrate: in batches
UPDATE notes SET words = length(body)
WHERE id IN (SELECT id FROM notes WHERE words IS NULL ORDER BY id LIMIT 10);
`;

let database: TestDatabase;
let folder: MigrationFolder | undefined;
/** A transaction of a client that holds its locks while a migration runs. */
let open: Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  await database.query(`
    CREATE TABLE quiz.notes (id integer PRIMARY KEY, body text NOT NULL, words integer);
    ALTER TABLE quiz.notes OWNER TO gradeway_quiz;
    INSERT INTO quiz.notes SELECT n, 'note ' || n FROM generate_series(1, 25) AS n`);
  open = new Client({ connectionString: database.url('quiz') });
  await open.connect();
});
afterEach(async () => {
  await open.end();
  await folder?.remove();
  await database.drop();
});

async function createFolder(files: Record<string, string>): Promise<MigrationFolder> {
  folder = await createMigrationFolder(database, files);
  return folder;
}

const indexes = () =>
  database.query(`
    SELECT indisvalid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relname = 'notes_body'`);
const active = "datname = current_database() AND state = 'active' AND query LIKE $1";
const isRunning = async (pattern: string) =>
  (await database.query(`SELECT FROM pg_stat_activity WHERE ${active}`, [pattern])).length > 0;
const interrupt = async (pattern: string) =>
  (await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${active}`, [pattern]))
    .length > 0;
const applied = () => database.query('SELECT name FROM quiz.migrations ORDER BY name');

test('an index is built while clients write, and while other processes wait to migrate', async () => {
  const { migrate } = await createFolder({ '0001-index.sql': index });
  await open.query("BEGIN; INSERT INTO notes VALUES (100, 'not committed yet')");
  const migrations = Promise.all([migrate(), migrate(), migrate()]);
  await waitFor(() => isRunning('CREATE INDEX CONCURRENTLY%'));
  await database.query("INSERT INTO quiz.notes VALUES (101, 'written while the index is built')");
  await open.query('COMMIT');
  await migrations;
  expect(await indexes()).toEqual([{ indisvalid: true }]);
  expect(await applied()).toEqual([{ name: '0001-index.sql' }]);
});

test('the invalid index that an interrupted migration leaves is built again by the next one', async () => {
  const { migrate } = await createFolder({ '0001-index.sql': index });
  await open.query("BEGIN; INSERT INTO notes VALUES (100, 'not committed yet')");
  const interrupted = migrate().catch((error: Error) => error);
  await waitFor(async () => (await indexes()).length > 0);
  await waitFor(() => interrupt('CREATE INDEX CONCURRENTLY%'));
  expect(await interrupted).toBeInstanceOf(Error);
  await open.query('COMMIT');
  expect(await indexes()).toEqual([{ indisvalid: false }]);
  await migrate();
  expect(await indexes()).toEqual([{ indisvalid: true }]);
});

test('a backfill commits each batch, and continues after an interruption with the rows that are left', async () => {
  const { migrate } = await createFolder({ '0001-backfill.sql': backfill });
  const filled = async () => (await database.query('SELECT FROM quiz.notes WHERE words IS NOT NULL')).length;
  await open.query('BEGIN; SELECT FROM notes WHERE id = 15 FOR UPDATE');
  const interrupted = migrate().catch((error: Error) => error);
  await waitFor(async () => (await filled()) === 10);
  await waitFor(() => interrupt('WITH batch AS%'));
  expect(await interrupted).toBeInstanceOf(Error);
  await open.query('ROLLBACK');
  expect(await filled()).toBe(10);
  await migrate();
  expect(await database.query('SELECT count(DISTINCT xmin::text)::int AS batches FROM quiz.notes')).toEqual([
    { batches: 3 },
  ]);
  expect(await filled()).toBe(25);
});

test('a change of a table that waits for a long transaction lets others read and write the table', async () => {
  const { migrate } = await createFolder({
    '0001-column.sql': 'ALTER TABLE notes ADD COLUMN author integer;',
  });
  await open.query('BEGIN; SELECT count(*) FROM notes');
  const migrating = migrate();
  await waitFor(() => isRunning('ALTER TABLE notes%'));
  await database.query("INSERT INTO quiz.notes VALUES (100, 'written while the migration waits')");
  expect(await database.query('SELECT FROM quiz.notes')).toHaveLength(26);
  await open.query('COMMIT');
  await migrating;
  expect(await database.query('SELECT author FROM quiz.notes LIMIT 1')).toEqual([{ author: null }]);
});

test.each([
  ['-- migrate: quickly\nSELECT 1;\n', 'no such mode: quickly'],
  ['-- migrate: concurrently\nCREATE INDEX notes_body ON notes (body);\n', 'cannot run concurrently'],
  ['-- migrate: concurrently\nALTER TABLE notes ADD COLUMN author integer;\n', 'cannot run concurrently'],
  ['-- migrate: in batches\nUPDATE notes SET words = 1;\n', 'cannot run in batches'],
])('a migration whose statements cannot be repeated in its mode is refused: %j', async (sql, message) => {
  const { path, migrate } = await createFolder({ '0001.sql': sql });
  await expect(readMigration(join(path, '0001.sql'))).rejects.toThrow(message);
  await expect(migrate()).rejects.toThrow(message);
  expect(await applied()).toEqual([]);
});
