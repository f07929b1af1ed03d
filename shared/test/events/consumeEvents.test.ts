import { AsyncLocalStorage } from 'node:async_hooks';
import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { userChanged } from '@gradeway/test/userEvents';
import { waitFor } from '@gradeway/test/waitFor';
import type { Sequelize, Transaction } from 'sequelize';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import type { Broker } from '../../src/events/broker.ts';
import type { UserState } from '../../src/events/catalog.ts';
import type { CloudEvent } from '../../src/events/cloudEvent.ts';
import { type BatchHandler, consumeEvents, type EventHandler } from '../../src/events/consumeEvents.ts';
import { createLogger } from '../../src/process/logger.ts';

type Handler = EventHandler<'user.changed.v1'> | BatchHandler<'user.changed.v1'>;

const log = createLogger('test', 'silent');
let database: TestDatabase;
let sequelize: Sequelize;

beforeEach(async () => {
  database = await createTestDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 8 });
});
afterEach(async () => {
  await sequelize.close();
  await database.drop();
});

const usersChanged = (count: number) =>
  Array.from({ length: count }, (_, index) => userChanged({ user_id: index + 1 }));

/** Consumes with a broker that delivers the events that the test passes. */
async function startConsumer(handler: Handler, connection = sequelize) {
  let deliver: Parameters<Broker['consume']>[1] = async () => 'done';
  const broker = {
    consume: async (_: string, receive: typeof deliver) => {
      deliver = receive;
    },
    stopConsuming: async () => {},
  } as unknown as Broker;
  const handlers = {
    'user.changed.v1': handler,
    'user.deleted.v1': async () => {},
    'course.instructor.removed.v1': async () => {},
  };
  const stop = await consumeEvents({ consumer: 'quiz', broker, sequelize: connection, handlers, log });
  return { stop, deliver: (event: CloudEvent) => deliver({ event, traceparent: null }) };
}

const insert = 'INSERT INTO people SELECT $1, $2, $3, NULL, false, 1';
async function addPeople(users: UserState[], transaction: Transaction) {
  for (const { user_id, first_name, last_name } of users)
    await sequelize.query(insert, { bind: [user_id, first_name, last_name], transaction });
}
async function people(): Promise<number[]> {
  const rows = await database.query<{ user_id: number }>('SELECT user_id FROM quiz.people ORDER BY 1');
  return rows.map(({ user_id }) => user_id);
}

test('a consumer applies an event once despite repeated and concurrent deliveries', async () => {
  let applied = 0;
  const { deliver, stop } = await startConsumer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    applied += 1;
  });
  const event = userChanged({ user_id: 7 });
  expect(await Promise.all([deliver(event), deliver(event), deliver(event)])).toEqual([
    'done',
    'done',
    'done',
  ]);
  expect(await deliver(event)).toBe('done');
  expect(applied).toBe(1);
  await stop();
});

test('a consumer does not record an event whose handler fails, and applies it at the next delivery', async () => {
  let fail = true;
  const { deliver, stop } = await startConsumer(async () => {
    if (fail) throw new Error('the handler fails');
  });
  const event = userChanged({ user_id: 7 });
  expect(await deliver(event)).toBe('failed');
  fail = false;
  expect(await deliver(event)).toBe('done');
  expect(await database.query('SELECT event_id FROM quiz.inbox')).toEqual([{ event_id: event.id }]);
  await stop();
});

test.each([
  ['alone', async () => {}],
  ['in batches', { applyAll: async () => {} }],
])(
  'an event applied %s is delayed without using up an attempt while the database is unreachable',
  async (_, handler) => {
    const unreachable = openDatabase({ url: 'postgres://nobody:x@127.0.0.1:1/none', name: 'test', pool: 1 });
    const { deliver, stop } = await startConsumer(handler, unreachable);
    expect(await deliver(userChanged({ user_id: 7 }))).toBe('later');
    await stop();
    await unreachable.close();
  },
);

test('a consumer without batches applies at most eight events at once', async () => {
  let [running, most] = [0, 0];
  const wide = openDatabase({ url: database.url('quiz'), name: 'test', pool: 20 });
  const eight = Promise.withResolvers<void>();
  const { deliver, stop } = await startConsumer(async () => {
    running += 1;
    most = Math.max(most, running);
    // The first ones overlap, however long it takes to open the connections.
    if (running === 8) eight.resolve();
    await eight.promise;
    await new Promise((resolve) => setTimeout(resolve, 20));
    running -= 1;
  }, wide);
  const outcomes = await Promise.all(usersChanged(40).map(deliver));
  expect(new Set(outcomes)).toEqual(new Set(['done']));
  expect(most).toBe(8);
  await stop();
  await wide.close();
});

describe('a handler of batches', () => {
  test('a batch contains the events that arrived during the previous one, up to a hundred', async () => {
    const sizes: number[] = [];
    const first = Promise.withResolvers<void>();
    const { deliver, stop } = await startConsumer({
      async applyAll(users, transaction) {
        sizes.push(users.length);
        if (sizes.length === 1) await first.promise;
        await addPeople(users, transaction);
      },
    });
    const [one, ...others] = usersChanged(151);
    const outcomes = [deliver(one as CloudEvent)];
    await waitFor(() => sizes.length === 1);
    outcomes.push(...others.map(deliver));
    first.resolve();
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['done']));
    expect(sizes).toEqual([1, 100, 50]);
    expect(await people()).toEqual(Array.from({ length: 151 }, (_, index) => index + 1));
    await stop();
  });

  test('a batch contains each event only once, and no events that were already applied', async () => {
    const { deliver, stop } = await startConsumer({ applyAll: addPeople });
    const events = usersChanged(3);
    const twice = await Promise.all([...events, ...events].map(deliver));
    expect(twice).toEqual(Array(6).fill('done'));
    const again = await Promise.all([...events, userChanged({ user_id: 4 })].map(deliver));
    expect(again).toEqual(Array(4).fill('done'));
    expect(await people()).toEqual([1, 2, 3, 4]);
    await stop();
  });

  test('an event that fails does not make the other events of its batch fail', async () => {
    const { deliver, stop } = await startConsumer({
      async applyAll(users, transaction) {
        await addPeople(users, transaction);
        if (users.some(({ user_id }) => user_id === 5)) throw new Error('the handler fails');
      },
    });
    const outcomes = await Promise.all(usersChanged(9).map(deliver));
    expect(outcomes).toEqual([...Array(4).fill('done'), 'failed', ...Array(4).fill('done')]);
    expect(await people()).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
    await stop();
  });

  test('a batch is aborted before a transaction that it blocks fails with a deadlock', async () => {
    const { deliver, stop } = await startConsumer({ applyAll: addPeople });
    // Later than the batch gives up, and earlier than PostgreSQL looks for a deadlock on behalf of the batch.
    const { username } = new URL(database.url('quiz'));
    await database.query(`GRANT SET ON PARAMETER deadlock_timeout TO ${username}`);
    const row = (userId: number) => `INSERT INTO people VALUES (${userId}, 'Other', '', NULL, false, 1)`;
    const sent = changeWhileWaiting({
      database,
      schema: 'quiz',
      lock: `SET LOCAL deadlock_timeout = '600ms'; ${row(5)}`,
      send: () => Promise.all(usersChanged(9).map(deliver)),
      // The first four are applied by then, and the batch waits for the fifth.
      change: row(3),
    });
    // The handler of this test does not expect the rows to exist.
    const failed = (index: number) => (index === 2 || index === 4 ? 'failed' : 'done');
    expect(await sent).toEqual(Array.from({ length: 9 }, (_, index) => failed(index)));
    expect(await people()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await stop();
  });

  test('a batch runs in the context of its first event', async () => {
    const delivery = new AsyncLocalStorage<number>();
    const contexts: unknown[] = [];
    const { deliver, stop } = await startConsumer({
      async applyAll(users) {
        contexts.push([users[0]?.user_id, delivery.getStore()]);
      },
    });
    const events = usersChanged(250);
    await Promise.all(events.map((event) => delivery.run(event.data.user_id, () => deliver(event))));
    expect(contexts).toEqual([
      [1, 1],
      [101, 101],
      [201, 201],
    ]);
    await stop();
  });
});
