import { expect, test } from 'vitest';
import { summarize } from '../../src/tracing/sqlSpans.ts';

test.each([
  ['SELECT "id" FROM "users" AS "User" WHERE "email" = \'ada@x.example\'', 'SELECT', 'users'],
  ['\n  SELECT a FROM (SELECT $1::int) AS asked LEFT JOIN courses c ON true', 'SELECT', 'courses'],
  ['SELECT floor(extract(epoch FROM clock_timestamp()))', 'SELECT', undefined],
  ['INSERT INTO "quiz"."people" ("name") VALUES (\'from Bob into Berlin\')', 'INSERT', 'people'],
  ['UPDATE outbox SET sent_at = now() WHERE position = 1', 'UPDATE', 'outbox'],
  ['DELETE FROM files', 'DELETE', 'files'],
  ['INSERT INTO roster SELECT * FROM unnest($1)', 'INSERT', 'roster'],
  ['START TRANSACTION;', 'START', undefined],
  ['SELECT pg_advisory_xact_lock(1)', 'SELECT', undefined],
  ['', 'QUERY', undefined],
])('%s is summarized as %s %s', (statement, operation, table) => {
  expect(summarize(statement)).toEqual(table ? { operation, table } : { operation });
});
