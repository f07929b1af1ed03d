import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { measureDatabase } from '../../src/database/poolMetrics.ts';
import { query } from '../../src/database/query.ts';
import { createEvent } from '../../src/events/cloudEvent.ts';
import { createOutbox } from '../../src/events/outbox.ts';
import { measureOutbox } from '../../src/events/outboxMetrics.ts';
import { measureDisk } from '../../src/files/diskMetrics.ts';
import { collectAtScrape } from '../../src/metrics/scrapeCollectors.ts';
import { scrapeSelf } from './scrapeSelf.ts';

let database: TestDatabase;
let sequelize: Sequelize;
beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 2 });
});
afterAll(async () => {
  await sequelize.close();
  await database.drop();
});

test('the scrape contains event loop lag and memory', async () => {
  const now = await scrapeSelf();
  expect(now.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(now.value('process_resident_memory_bytes')).toBeGreaterThan(1e7);
});

test('a collector that fails or hangs leaves no value, and the scrape succeeds', async () => {
  const cleared: string[] = [];
  const stops = [
    collectAtScrape({
      collect: () => Promise.reject(new Error('unreachable')),
      clear: () => cleared.push('failed'),
    }),
    collectAtScrape({ collect: () => new Promise(() => {}), clear: () => cleared.push('hung') }),
  ];
  await scrapeSelf();
  expect(cleared).toEqual(['failed', 'hung']);
  for (const stop of stops) stop();
});

test('the outbox exports its depth and age, but not while its database is unreachable', async () => {
  const stop = measureOutbox(sequelize);
  const [depth, age] = ['gradeway_outbox_events', 'gradeway_outbox_oldest_age_seconds'];
  expect((await scrapeSelf()).value(depth)).toBe(0);
  expect((await scrapeSelf()).value(age)).toBe(0);

  const outbox = createOutbox(sequelize);
  const event = () =>
    createEvent('quiz', 'quiz.submission.submitted.v1', 'submissions/1', {
      submission_id: 1,
      quiz_id: 1,
      course_id: 1,
      student_id: 1,
    });
  await sequelize.transaction(async (transaction) => {
    for (let left = 3; left > 0; left -= 1) await outbox.add(event(), transaction);
  });
  const startedAt = Date.now();
  await database.query("UPDATE quiz.outbox SET created_at = now() - interval '1 minute' WHERE position = 1");
  const pending = await scrapeSelf();
  expect(pending.value(depth)).toBe(3);
  expect(pending.value(age)).toBeGreaterThanOrEqual(60);
  expect(pending.value(age)).toBeLessThanOrEqual(60 + (Date.now() - startedAt) / 1_000);
  stop();

  const unreachable = openDatabase({ url: 'postgres://nobody:x@127.0.0.1:1/none', name: 'test', pool: 1 });
  const stopUnreachable = measureOutbox(unreachable);
  expect((await scrapeSelf()).value(depth)).toBeUndefined();
  expect((await scrapeSelf()).value(age)).toBeUndefined();
  stopUnreachable();
  await unreachable.close();
});

test('the pool exports used connections, waiting requests and failed queries by reason', async () => {
  const stop = measureDatabase(sequelize);
  const sleeping = Array.from({ length: 4 }, () => query(sequelize, { sql: 'SELECT pg_sleep(0.5)' }));
  await waitFor(async () => {
    const now = await scrapeSelf();
    return (
      now.value('db_client_connection_count', { db_client_connection_state: 'used' }) === 2 &&
      now.value('db_client_connection_pending_requests') === 2 &&
      now.value('db_client_connection_max') === 2
    );
  });
  await Promise.all(sleeping);
  await sequelize.query('INSERT INTO quiz_total VALUES (NULL)').catch(() => {});
  await sequelize.query('SELECT nonsense').catch(() => {});
  const now = await scrapeSelf();
  const failures = (reason: string) => now.value('gradeway_database_query_failures_total', { reason });
  expect([failures('constraint'), failures('fault'), failures('unavailable')]).toEqual([1, 1, 0]);
  stop();
});

test('disk space is labelled with a name, not with the path', async () => {
  const stop = measureDisk('files', '/tmp');
  const [sample] = (await scrapeSelf()).find('gradeway_disk_free_bytes');
  expect(sample?.labels).toMatchObject({ directory: 'files' });
  expect(sample?.value).toBeGreaterThan(0);
  stop();
  expect((await scrapeSelf()).find('gradeway_disk_free_bytes')).toEqual([]);
});
