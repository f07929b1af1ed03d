import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readMigration } from '../../src/database/readMigration.ts';

// Released migrations are never edited. The rule applies to later ones.
const lastExempt = { auth: 20, courses: 19, homework: 24, quiz: 24 };

/** Statements that build an index on an existing table, and lock the table against writes meanwhile. */
function blockingIndexes(sql: string): string[] {
  const created = new Set(
    [...sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g)].map(([, name]) => name),
  );
  return [...sql.matchAll(/CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?\w+\s+ON (\w+)/g)]
    .filter(([, table]) => !created.has(table))
    .map(([statement]) => statement);
}

test.each(Object.entries(lastExempt))(
  'no migration of %s after %i builds an index on an existing table in a transaction',
  async (service, last) => {
    const folder = fileURLToPath(new URL(`../../../services/${service}/migrations/`, import.meta.url));
    const files = (await readdir(folder)).filter((name) => Number.parseInt(name, 10) > last);
    const found: Record<string, string[]> = {};
    for (const file of files) {
      const { statements } = await readMigration(folder + file);
      const blocking = blockingIndexes(statements.join(';\n'));
      if (blocking.length > 0) found[file] = blocking;
    }
    expect(found, 'begin the file with "-- migrate: concurrently" (CONTRIBUTING.md)').toEqual({});
  },
);

test('the rule finds an index on an existing table, and no other', () => {
  const ofNewTable = 'CREATE TABLE notes (id integer); CREATE INDEX notes_id ON notes (id);';
  expect(blockingIndexes(ofNewTable)).toEqual([]);
  expect(blockingIndexes('CREATE INDEX CONCURRENTLY IF NOT EXISTS grades_at ON grades (at)')).toEqual([]);
  expect(blockingIndexes(`${ofNewTable} CREATE UNIQUE INDEX grades_at\n  ON grades (at);`)).toEqual([
    'CREATE UNIQUE INDEX grades_at\n  ON grades',
  ]);
});
