import { openDatabase } from '@gradeway/shared/database/connection';
import { migrate } from '@gradeway/shared/database/migrate';
import { type Broker, deliveryLimit } from '@gradeway/shared/events/broker';
import { createEvent } from '@gradeway/shared/events/cloudEvent';
import { consumeEvents } from '@gradeway/shared/events/consumeEvents';
import { openBroker } from '@gradeway/shared/events/openBroker';
import { createOutbox } from '@gradeway/shared/events/outbox';
import { startOutboxRelay } from '@gradeway/shared/events/outboxRelay';
import { createLogger } from '@gradeway/shared/process/logger';
import { scrapeSelf } from '@gradeway/test/metrics';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, expect, test } from 'vitest';

const log = createLogger('test', 'silent');
const type = 'user.changed.v1';
let database: TestDatabase;
let sequelize: Sequelize;
let broker: Broker;
beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 8 });
  await migrate(sequelize, new URL('../../../services/quiz/migrations/', import.meta.url), log);
  broker = await openBroker({ url: database.url('broker'), log, retryDelayMs: 100 });
});
afterAll(async () => {
  await broker.close();
  await sequelize.close();
  await database.drop();
});

const userChanged = () =>
  createEvent('auth', type, 'users/7', {
    ...{ user_id: 7, first_name: 'Ada', last_name: 'L', email: null, role: 'user', is_blocked: false },
    revision: 1,
  });

test('the way of an event is measured, from the outbox to its effect or the dead letters', async () => {
  let fault = false;
  const handle = async () => {
    if (fault) throw new Error('a fault of ours');
  };
  const stopConsuming = await consumeEvents({
    ...{ consumer: 'quiz', broker, sequelize, log },
    handlers: { [type]: handle, 'user.deleted.v1': handle },
  });
  const relay = startOutboxRelay(sequelize, broker, log);
  const outbox = createOutbox(sequelize, () => relay.wake());
  const tell = () => sequelize.transaction((transaction) => outbox.add(userChanged(), transaction));

  await tell();
  const handled = (outcome: string) =>
    scrapeSelf().then((now) => now.value('gradeway_events_handled_total', { type, outcome }));
  await waitFor(async () => (await handled('done')) === 1);
  let now = await scrapeSelf();
  expect(now.value('gradeway_outbox_published_total', { type })).toBe(1);
  expect(now.value('gradeway_event_lag_seconds_count', { type })).toBe(1);
  expect(now.value('gradeway_event_lag_seconds_sum', { type })).toBeLessThan(5);
  expect(now.value('gradeway_dead_letters_total', { consumer: 'quiz' })).toBe(0);

  fault = true;
  await tell();
  const dead = { consumer: 'quiz', state: 'dead' };
  await waitFor(async () => (await scrapeSelf()).value('gradeway_queue_messages', dead) === 1, 19_000);
  now = await scrapeSelf();
  expect(now.value('gradeway_events_handled_total', { type, outcome: 'failed' })).toBe(deliveryLimit);
  expect(now.value('gradeway_dead_letters_total', { consumer: 'quiz' })).toBe(1);
  expect(now.value('gradeway_event_lag_seconds_count', { type })).toBe(1);
  await relay.stop();
  await stopConsuming();
  expect((await scrapeSelf()).find('gradeway_queue_messages')).toEqual([]);
});

test('what the broker does not take is counted as failed to publish', async () => {
  const relay = startOutboxRelay(
    sequelize,
    { publish: () => Promise.reject(new Error('the broker is away')) },
    log,
  );
  const outbox = createOutbox(sequelize, () => relay.wake());
  await sequelize.transaction((transaction) => outbox.add(userChanged(), transaction));
  await waitFor(async () => ((await scrapeSelf()).value('gradeway_outbox_publish_failures_total') ?? 0) >= 1);
  await relay.stop();
});
