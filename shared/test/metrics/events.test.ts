import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { userChanged } from '@gradeway/test/userEvents';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { type Broker, deliveryLimit } from '../../src/events/broker.ts';
import { consumeEvents } from '../../src/events/consumeEvents.ts';
import { openBroker } from '../../src/events/openBroker.ts';
import { createOutbox } from '../../src/events/outbox.ts';
import { startOutboxRelay } from '../../src/events/outboxRelay.ts';
import { createLogger } from '../../src/process/logger.ts';
import { scrapeSelf } from './scrapeSelf.ts';

const log = createLogger('test', 'silent');
const type = 'user.changed.v1';
let database: TestDatabase;
let sequelize: Sequelize;
let broker: Broker;
beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 8 });
  broker = await openBroker({ url: database.url('broker'), log, retryDelayMs: 100 });
});
afterAll(async () => {
  await broker.close();
  await sequelize.close();
  await database.drop();
});

test('an event is measured from the outbox to its effect or the dead-letter queue', async () => {
  let failing = false;
  const handle = async () => {
    if (failing) throw new Error('the handler fails');
  };
  const stopConsuming = await consumeEvents({
    consumer: 'quiz',
    broker,
    sequelize,
    log,
    handlers: { [type]: handle, 'user.deleted.v1': handle, 'course.instructor.removed.v1': handle },
  });
  const relay = startOutboxRelay(sequelize, broker, log);
  const outbox = createOutbox(sequelize, relay);
  const publishEvent = () => sequelize.transaction((transaction) => outbox.add(userChanged(), transaction));

  const startedAt = Date.now();
  await publishEvent();
  const handled = (outcome: string) =>
    scrapeSelf().then((now) => now.value('gradeway_events_handled_total', { type, outcome }));
  await waitFor(async () => (await handled('done')) === 1);
  // The confirmation of the broker may arrive after the consumer has handled the event.
  await waitFor(async () => (await scrapeSelf()).value('gradeway_outbox_published_total', { type }) === 1);
  let now = await scrapeSelf();
  expect(now.value('gradeway_event_lag_seconds_count', { type })).toBe(1);
  const lag = now.value('gradeway_event_lag_seconds_sum', { type });
  // In seconds. The clock of the database may differ by a few milliseconds.
  expect(lag).toBeLessThanOrEqual((Date.now() - startedAt) / 1_000 + 1);
  expect(now.value('gradeway_dead_letters_total', { consumer: 'quiz' })).toBe(0);

  failing = true;
  await publishEvent();
  const dead = { consumer: 'quiz', state: 'dead' };
  await waitFor(async () => (await scrapeSelf()).value('gradeway_queue_messages', dead) === 1);
  now = await scrapeSelf();
  expect(now.value('gradeway_events_handled_total', { type, outcome: 'failed' })).toBe(deliveryLimit);
  expect(now.value('gradeway_dead_letters_total', { consumer: 'quiz' })).toBe(1);
  expect(now.value('gradeway_event_lag_seconds_count', { type })).toBe(1);
  await relay.stop();
  await stopConsuming();
  expect((await scrapeSelf()).find('gradeway_queue_messages')).toEqual([]);
});

test('events that the broker does not confirm are counted as publish failures', async () => {
  const relay = startOutboxRelay(
    sequelize,
    { publish: () => Promise.reject(new Error('the broker is unreachable')) },
    log,
  );
  const outbox = createOutbox(sequelize, relay);
  await sequelize.transaction((transaction) => outbox.add(userChanged(), transaction));
  await waitFor(async () => ((await scrapeSelf()).value('gradeway_outbox_publish_failures_total') ?? 0) >= 1);
  await relay.stop();
  await sequelize.query('DELETE FROM outbox WHERE sent_at IS NULL');
});
