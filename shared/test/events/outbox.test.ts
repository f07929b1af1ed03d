import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize } from 'sequelize';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { type CloudEvent, createEvent, type Envelope } from '../../src/events/cloudEvent.ts';
import { createOutbox, type Outbox } from '../../src/events/outbox.ts';
import { startOutboxRelay } from '../../src/events/outboxRelay.ts';
import { createLogger } from '../../src/process/logger.ts';
import type { Polling } from '../../src/process/polling.ts';

const log = createLogger('test', 'silent');
let database: TestDatabase;
let sequelize: Sequelize;
let relays: Polling[];

beforeEach(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 8 });
  relays = [];
  await migrate(sequelize, new URL('../../../services/quiz/migrations/', import.meta.url), log);
});
afterEach(async () => {
  for (const relay of relays) await relay.stop();
  await sequelize.close();
  await database.drop();
});

const graded = (revision: number): CloudEvent =>
  createEvent('quiz', 'quiz.submission.submitted.v1', `submissions/${revision}`, {
    submission_id: revision,
    quiz_id: 1,
    course_id: 1,
    student_id: 1,
  });

/** A broker whose failures a test controls. */
function fakeBroker() {
  const published: string[] = [];
  const state = { down: false, published, slow: 0 };
  const publish = async ({ event }: Envelope) => {
    if (state.slow) await new Promise((resolve) => setTimeout(resolve, state.slow));
    if (state.down) throw new Error('the broker is down');
    published.push(event.id);
  };
  return Object.assign(state, { publish });
}

function relayTo(publisher: { publish(envelope: Envelope): Promise<void> }): {
  outbox: Outbox;
  relay: Polling;
} {
  const relay = startOutboxRelay(sequelize, publisher, log);
  relays.push(relay);
  return { relay, outbox: createOutbox(sequelize, () => relay.wake()) };
}

const pending = async () => (await database.query('SELECT 1 FROM quiz.outbox WHERE sent_at IS NULL')).length;

describe('the outbox', () => {
  test('is woken by a commit and publishes its events', async () => {
    const broker = fakeBroker();
    const { outbox, relay } = relayTo(broker);
    const wake = vi.spyOn(relay, 'wake');
    const event = graded(1);
    await sequelize.transaction((transaction) => outbox.add(event, transaction));
    expect(wake).toHaveBeenCalledOnce();
    await waitFor(() => broker.published.length === 1);
    expect(broker.published).toEqual([event.id]);
    await waitFor(async () => (await pending()) === 0);
  });

  test('does not publish events of a transaction that was rolled back', async () => {
    const broker = fakeBroker();
    const { outbox } = relayTo(broker);
    const attempt = sequelize.transaction(async (transaction) => {
      await outbox.add(graded(1), transaction);
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    await sequelize.transaction((transaction) => outbox.add(graded(2), transaction));
    await waitFor(() => broker.published.length > 0);
    expect(
      await database.query('SELECT subject FROM (SELECT body->>$1 AS subject FROM quiz.outbox) s', [
        'subject',
      ]),
    ).toEqual([{ subject: 'submissions/2' }]);
  });

  test('keeps its events during an outage of the broker and publishes them afterwards', async () => {
    const broker = fakeBroker();
    broker.down = true;
    const { outbox } = relayTo(broker);
    const events = Array.from({ length: 250 }, (_, index) => graded(index + 1));
    await sequelize.transaction(async (transaction) => {
      for (const event of events) await outbox.add(event, transaction);
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await pending()).toBe(250);
    broker.down = false;
    await waitFor(async () => (await pending()) === 0);
    expect(new Set(broker.published)).toEqual(new Set(events.map(({ id }) => id)));
  });

  test('publishes each event once with several relays', async () => {
    const broker = fakeBroker();
    broker.slow = 5;
    const { outbox } = relayTo(broker);
    for (let replica = 0; replica < 3; replica += 1) relayTo(broker);
    const events = Array.from({ length: 300 }, (_, index) => graded(index + 1));
    await sequelize.transaction(async (transaction) => {
      for (const event of events) await outbox.add(event, transaction);
    });
    await waitFor(async () => (await pending()) === 0);
    expect(broker.published.length).toBe(300);
  });
});
