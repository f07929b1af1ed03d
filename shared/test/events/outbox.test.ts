import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize } from 'sequelize';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { type CloudEvent, createEvent, type Envelope } from '../../src/events/cloudEvent.ts';
import { createOutbox, type Outbox } from '../../src/events/outbox.ts';
import { type OutboxRelay, startOutboxRelay } from '../../src/events/outboxRelay.ts';
import { OutboxRows } from '../../src/events/outboxRows.ts';
import { createLogger } from '../../src/process/logger.ts';

const log = createLogger('test', 'silent');
let database: TestDatabase;
let sequelize: Sequelize;
let relays: OutboxRelay[];

beforeEach(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 8 });
  relays = [];
});
afterEach(async () => {
  vi.restoreAllMocks();
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
  const state = { down: false, published, refused: 0, slow: 0 };
  const publish = async ({ event }: Envelope) => {
    if (state.slow) await new Promise((resolve) => setTimeout(resolve, state.slow));
    if (state.down) {
      state.refused += 1;
      throw new Error('the broker is down');
    }
    published.push(event.id);
  };
  return Object.assign(state, { publish });
}

function relayTo(publisher: { publish(envelope: Envelope): Promise<void> }): {
  outbox: Outbox;
  relay: OutboxRelay;
} {
  const relay = startOutboxRelay(sequelize, publisher, log);
  relays.push(relay);
  return { relay, outbox: createOutbox(sequelize, relay) };
}

const add = (outbox: Outbox, events: CloudEvent | CloudEvent[]) =>
  sequelize.transaction((transaction) => outbox.add(events, transaction));

/** Inserts events like a process that ends right after its commit. */
const addAndCrash = (events: CloudEvent[]) => {
  const claim = () => ({ seconds: 10, publish: () => {} });
  return add(createOutbox(sequelize, { claim, wake: () => {}, stop: async () => {} }), events);
};

const pending = async () => (await database.query('SELECT 1 FROM quiz.outbox WHERE sent_at IS NULL')).length;

describe('the outbox', () => {
  test('the outbox publishes events from memory after their commit, without reading them from the table', async () => {
    const claimed = vi.spyOn(OutboxRows.prototype, 'claim');
    const broker = fakeBroker();
    const { outbox } = relayTo(broker);
    const events = [graded(1), graded(2)];
    for (const event of events) await add(outbox, event);
    await waitFor(() => broker.published.length === 2);
    expect(broker.published).toEqual(events.map(({ id }) => id));
    for (const { value } of claimed.mock.results) expect(await value).toEqual([]);
    await waitFor(async () => (await pending()) === 0);
  });

  test('the outbox does not publish events of a transaction that was rolled back', async () => {
    const broker = fakeBroker();
    const { outbox } = relayTo(broker);
    const attempt = sequelize.transaction(async (transaction) => {
      await outbox.add(graded(1), transaction);
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    await add(outbox, graded(2));
    await waitFor(() => broker.published.length > 0);
    expect(
      await database.query('SELECT subject FROM (SELECT body->>$1 AS subject FROM quiz.outbox) s', [
        'subject',
      ]),
    ).toEqual([{ subject: 'submissions/2' }]);
  });

  test('the outbox keeps its events during an outage of the broker and publishes them afterwards', async () => {
    const broker = fakeBroker();
    broker.down = true;
    const { outbox } = relayTo(broker);
    const events = Array.from({ length: 250 }, (_, index) => graded(index + 1));
    await sequelize.transaction(async (transaction) => {
      for (const event of events) await outbox.add(event, transaction);
    });
    await waitFor(() => broker.refused > 1);
    expect(await pending()).toBe(250);
    broker.down = false;
    await waitFor(async () => (await pending()) === 0);
    expect(new Set(broker.published)).toEqual(new Set(events.map(({ id }) => id)));
  });

  test('the outbox publishes each event once with several relays', async () => {
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

  test("a relay does not publish the events of another process while that process's claim lasts", async () => {
    const [slow, other] = [fakeBroker(), fakeBroker()];
    slow.slow = 500;
    const [{ outbox }, { relay }] = [relayTo(slow), relayTo(other)];
    await add(outbox, [graded(1), graded(2)]);
    relay.wake();
    await waitFor(() => slow.published.length === 2);
    expect(other.published).toEqual([]);
  });

  test('the outbox publishes the events of a process that crashed after its commit, once its claim has expired', async () => {
    const events = [graded(1), graded(2)];
    await addAndCrash(events);
    const broker = fakeBroker();
    const { relay, outbox } = relayTo(broker);
    await add(outbox, graded(3));
    await waitFor(() => broker.published.length === 1);
    const ids = events.map(({ id }) => id);
    const expire =
      "UPDATE quiz.outbox SET claimed_until = now() - interval '1 second' WHERE event_id = ANY($1)";
    await database.query(expire, [ids]);
    relay.wake();
    await waitFor(async () => (await pending()) === 0);
    expect(broker.published).toHaveLength(3);
    expect(broker.published).toEqual(expect.arrayContaining(ids));
  });

  test('the outbox publishes no event of a change that did not take effect', async () => {
    const broker = fakeBroker();
    const { outbox } = relayTo(broker);
    expect(await outbox.addBy([graded(1)], async () => false)).toBe(false);
    await expect(outbox.addBy([graded(2)], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const event = graded(3);
    await add(outbox, event);
    await waitFor(async () => broker.published.length > 0 && (await pending()) === 0);
    expect(broker.published).toEqual([event.id]);
  });

  test('the outbox holds at most a thousand events in memory, and publishes the others from the table', async () => {
    const broker = fakeBroker();
    broker.slow = 300;
    const { relay, outbox } = relayTo(broker);
    await add(
      outbox,
      Array.from({ length: 1_200 }, (_, index) => graded(index + 1)),
    );
    expect(relay.claim()).toBeUndefined();
    await add(outbox, graded(1_201));
    const unclaimed = await database.query('SELECT 1 FROM quiz.outbox WHERE claimed_until IS NULL');
    expect(unclaimed).toHaveLength(1);
    broker.slow = 0;
    await waitFor(async () => (await pending()) === 0);
    expect(new Set(broker.published).size).toBe(1_201);
    expect(relay.claim()).toBeDefined();
  });

  test('the outbox releases the events in memory to other relays when it stops', async () => {
    const [slow, other] = [fakeBroker(), fakeBroker()];
    slow.slow = 200;
    const { relay: stopping, outbox } = relayTo(slow);
    await add(
      outbox,
      Array.from({ length: 300 }, (_, index) => graded(index + 1)),
    );
    await stopping.stop();
    expect(slow.published).toHaveLength(100);
    const { relay } = relayTo(other);
    relay.wake();
    await waitFor(async () => (await pending()) === 0);
    expect(other.published).toHaveLength(200);
    expect(stopping.claim()).toBeUndefined();
  });

  test('the outbox claims no events while the broker is down, so that any relay may publish them afterwards', async () => {
    const broker = fakeBroker();
    broker.down = true;
    const { relay, outbox } = relayTo(broker);
    await add(outbox, graded(1));
    await waitFor(() => relay.claim() === undefined);
    await add(outbox, graded(2));
    const other = fakeBroker();
    relayTo(other).relay.wake();
    await waitFor(async () => (await pending()) === 0);
    expect(other.published).toHaveLength(2);
  });

  test('the outbox leaves the events of a transaction that commits late to the table, because their claim may expire', async () => {
    const claim = vi.spyOn(OutboxRows.prototype, 'claim');
    const broker = fakeBroker();
    const { outbox } = relayTo(broker);
    const event = graded(1);
    const now = performance.now.bind(performance);
    await sequelize.transaction(async (transaction) => {
      await outbox.add(event, transaction);
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
    });
    await waitFor(async () => (await pending()) === 0);
    expect(broker.published).toEqual([event.id]);
    const claimed = await Promise.all(claim.mock.results.map(({ value }) => value as Promise<Envelope[]>));
    expect(claimed.flat().map((envelope) => envelope.event.id)).toEqual([event.id]);
  });
});
