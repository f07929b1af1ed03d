import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createLogger } from '@gradeway/shared/process/logger';
import { createEmptyDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openMigrationDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';

// Tables that the shared library owns: defined once in shared/migrations, included by each service (decision 0028).
const definitions = new URL('../../migrations/', import.meta.url);
const migrationsOf = (service: string) =>
  new URL(`../../../services/${service}/migrations/`, import.meta.url);
const log = createLogger('test', 'silent');

type Service = 'auth' | 'courses' | 'homework' | 'quiz';
const submissionTables = [
  'allowances',
  'annotations',
  'answer_claims',
  'answer_gradings',
  'answer_groups',
  'answer_totals',
  'answers',
  'claims',
  'erased_files',
  'erased_people',
  'files',
  'finished_courses',
  'grading_totals',
  'idempotency_keys',
  'inbox',
  'marked_pdfs',
  'outbox',
  'outlines',
  'page_sizes',
  'people',
  'question_rubric_items',
  'question_rubrics',
  'questions',
  'reviews',
  'rubric_items',
  'rubrics',
];
const tablesOf: [Service, string[]][] = [
  ['auth', ['inbox', 'outbox']],
  ['courses', ['erased_people', 'inbox', 'outbox', 'people']],
  ['homework', submissionTables],
  ['quiz', submissionTables],
];

/** The columns, constraints and indexes of a schema's tables, one line each. */
const describeTables = `
  SELECT table_name, line FROM (
    SELECT attrelid AS id, attnum AS position,
      concat_ws(' ', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
        attidentity::text, replace(pg_get_expr(adbin, adrelid), $1 || '.', '')) AS line
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT conrelid, 1000, conname || ' ' || replace(pg_get_constraintdef(oid), $1 || '.', '') FROM pg_constraint
    UNION ALL
    SELECT indrelid, 1001, replace(pg_get_indexdef(indexrelid), $1 || '.', '') FROM pg_index
  ) AS lines JOIN (
    SELECT oid AS id, relname AS table_name FROM pg_class
    WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND relname = ANY($2)
  ) AS tables USING (id)
  ORDER BY table_name, position, line`;

let database: TestDatabase;

/** Migrates a service's schema, after these statements. */
async function migrateService(service: Service, before = ''): Promise<void> {
  const sequelize = openMigrationDatabase({ url: database.url(service), name: 'test' });
  if (before) await sequelize.query(before);
  await migrate(sequelize, migrationsOf(service), log).finally(() => sequelize.close());
}

const tablesIn = (schema: string, tables: string[]) => database.query(describeTables, [schema, tables]);

// Shared tables refer to it. Each service defines it.
const submissions = `
  CREATE TABLE submissions (id integer PRIMARY KEY, student_id integer, submitted_at timestamptz, submitted_by integer)`;

/** Creates the shared tables in a separate schema, from all versions of their definitions. */
async function createReference(): Promise<void> {
  const files = (await readdir(definitions)).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const statements = await Promise.all(files.map((file) => readFile(new URL(file, definitions), 'utf8')));
  await database.query(
    `CREATE SCHEMA reference; SET search_path TO reference; ${submissions}; ${statements.join('\n')}`,
  );
}

describe('a migrated schema', () => {
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => database.drop());

  test.each(tablesOf)(
    'the migrated schema of %s has the shared tables as defined',
    async (service, tables) => {
      await migrateService(service);
      await createReference();
      const expected = await tablesIn('reference', tables);
      expect(new Set(expected.map((row) => (row as { table_name: string }).table_name))).toEqual(
        new Set(tables),
      );
      expect(await tablesIn(service, tables)).toEqual(expected);
    },
  );

  test.each(tablesOf)('the schema of %s is unchanged if an earlier release migrated it', async (service) => {
    const names = (await readdir(migrationsOf(service))).filter((name) => name.endsWith('.sql'));
    const rows = names.map((name) => `('${name}')`).join();
    await migrateService(
      service,
      `CREATE TABLE migrations (name text PRIMARY KEY); INSERT INTO migrations VALUES ${rows}`,
    );
    const tables = await database.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [service]);
    expect(tables).toEqual([{ tablename: 'migrations' }]);
  });
});

// Services have run these statements. A change to a table is a new file with the next number.
describe('a released definition is never edited', () => {
  const released = {
    'erased_files-1.sql': 'b4f84437d41af576',
    'erased_people-1.sql': '406d0d23246e469b',
    'files-1.sql': 'c0932f706909e382',
    'files-2.sql': '72ab1c331ad33e3c',
    'finished_courses-1.sql': '4f2cfed450ee3777',
    'grade_files-1.sql': '326b529bfc279372',
    'grading-1.sql': '631ebb0694644843',
    'idempotency-1.sql': 'cbcc8e4e61a50094',
    'inbox-1.sql': 'ccbc03a4f185303c',
    'items-1.sql': 'f72670bd3ad9288f',
    'marked_pdfs-1.sql': '8da774389790c0f0',
    'outbox-1.sql': 'dda40379b72dee79',
    'people-1.sql': '14fa5ad9ba886b9d',
    'people-2.sql': '120e946f9c7319b4',
    'people-3.sql': 'aa2640646d6a61c1',
    'people_search-1.sql': 'a62696c41eb94f46',
    'questions-1.sql': '0927a9ef6bc4a529',
  };

  test('every released definition of a shared table is recorded', async () => {
    expect((await readdir(definitions)).toSorted()).toEqual(Object.keys(released));
  });

  test.each(Object.entries(released))('the released definition %s is unchanged', async (file, digest) => {
    const sql = await readFile(new URL(file, definitions), 'utf8');
    const statements = sql
      .replace(/^--.*$/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    expect(createHash('sha256').update(statements).digest('hex').slice(0, 16)).toBe(digest);
  });
});
