import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Deleting a row searches for the rows that refer to it, once for each foreign key. Without an index, that reads the
// whole table, which is fast only while the table is small.

const services = ['auth', 'courses', 'homework', 'quiz'] as const;
// Rows of the referenced table are never deleted.
const neverDeleted = ['users', 'courses', 'classes', 'quizzes', 'webhook_subscriptions'];

const withoutIndex = `
  SELECT c.conrelid::regclass::text || ' (' || a.attname || ')' AS missing
  FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    JOIN pg_class referenced ON referenced.oid = c.confrelid
  WHERE c.contype = 'f' AND c.connamespace = $1::regnamespace AND referenced.relname <> ALL ($2)
    AND NOT EXISTS (
      SELECT FROM pg_index i
      WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1]
        -- A partial index serves only if every row with a reference is in it.
        AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = '(' || quote_ident(a.attname) || ' IS NOT NULL)'))
  ORDER BY 1`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test.each(services)('every foreign key of %s to rows that are deleted has an index', async (service) => {
  const rows = await database.query<{ missing: string }>(withoutIndex, [service, neverDeleted]);
  expect(rows.map(({ missing }) => missing)).toEqual([]);
});
