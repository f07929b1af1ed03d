import { openDatabase, selectRows } from '@gradeway/shared/database/connection';
import { migrate } from '@gradeway/shared/database/migrate';
import { createEvent } from '@gradeway/shared/events/cloudEvent';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { measureDatabase } from '@gradeway/shared/metrics/databasePool';
import { measureDisk } from '@gradeway/shared/metrics/disk';
import { measureOutbox } from '@gradeway/shared/metrics/outbox';
import { collectAtScrape } from '@gradeway/shared/metrics/scrapeCollectors';
import { createLogger } from '@gradeway/shared/process/logger';
import { scrapeSelf } from '@gradeway/test/metrics';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: TestDatabase;
let sequelize: Sequelize;
beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 2 });
  await migrate(
    sequelize,
    new URL('../../../services/quiz/migrations/', import.meta.url),
    createLogger('test', 'silent'),
  );
});
afterAll(async () => {
  await sequelize.close();
  await database.drop();
});

test('the event loop’s delay and the memory are told', async () => {
  const now = await scrapeSelf();
  expect(now.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(now.value('process_resident_memory_bytes')).toBeGreaterThan(1e7);
});

test('a measurement that fails or hangs has no value, and the scrape succeeds within seconds', async () => {
  const forgotten: string[] = [];
  const stops = [
    collectAtScrape({
      collect: () => Promise.reject(new Error('away')),
      clear: () => forgotten.push('failed'),
    }),
    collectAtScrape({ collect: () => new Promise(() => {}), clear: () => forgotten.push('hung') }),
  ];
  const startedAt = Date.now();
  await scrapeSelf();
  expect(Date.now() - startedAt).toBeLessThan(4_000);
  expect(forgotten).toEqual(['failed', 'hung']);
  for (const stop of stops) stop();
});

test('the outbox tells how many events wait and since when, and nothing while its database is away', async () => {
  const stop = measureOutbox(sequelize);
  const [depth, age] = ['gradeway_outbox_events', 'gradeway_outbox_oldest_age_seconds'];
  expect((await scrapeSelf()).value(depth)).toBe(0);
  expect((await scrapeSelf()).value(age)).toBe(0);

  const outbox = createOutbox(sequelize, () => {});
  const event = () =>
    createEvent('quiz', 'quiz.submission.submitted.v1', 'submissions/1', {
      ...{ submission_id: 1, quiz_id: 1, course_id: 1, student_id: 1 },
    });
  await sequelize.transaction(async (transaction) => {
    for (let left = 3; left > 0; left -= 1) await outbox.add(event(), transaction);
  });
  await database.query("UPDATE quiz.outbox SET created_at = now() - interval '1 minute' WHERE position = 1");
  const waiting = await scrapeSelf();
  expect(waiting.value(depth)).toBe(3);
  expect(waiting.value(age)).toBeGreaterThanOrEqual(60);
  expect(waiting.value(age)).toBeLessThan(90);
  stop();

  const away = openDatabase({ url: 'postgres://nobody:x@127.0.0.1:1/none', name: 'test', pool: 1 });
  const stopAway = measureOutbox(away);
  expect((await scrapeSelf()).value(depth)).toBeUndefined();
  expect((await scrapeSelf()).value(age)).toBeUndefined();
  stopAway();
  await away.close();
});

test('the pool tells what is in use, what waits and what failed, and why', async () => {
  const stop = measureDatabase(sequelize);
  const sleeping = Array.from({ length: 4 }, () => selectRows(sequelize, 'SELECT pg_sleep(0.5)'));
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

test('the space of a disk is told by a name, not by its path', async () => {
  const stop = measureDisk('files', '/tmp');
  const [sample] = (await scrapeSelf()).find('gradeway_disk_free_bytes');
  expect(sample?.labels).toMatchObject({ directory: 'files' });
  expect(sample?.value).toBeGreaterThan(0);
  stop();
  expect((await scrapeSelf()).find('gradeway_disk_free_bytes')).toEqual([]);
});
