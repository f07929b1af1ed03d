import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasRabbit, type Rabbit, startRabbit } from '@gradeway/test/rabbitmq';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { userChanged } from '@gradeway/test/userEvents';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Broker, deliveryLimit, type Outcome } from '../../src/events/broker.ts';
import { type CloudEvent, createEvent } from '../../src/events/cloudEvent.ts';
import { openBroker } from '../../src/events/openBroker.ts';
import { createLogger } from '../../src/process/logger.ts';

if (!hasRabbit && process.env.CI)
  throw new Error('RabbitMQ is not installed; CI must not skip its contract tests');
if (!hasRabbit) console.warn('\n*** RabbitMQ is not installed: its contract tests are SKIPPED ***\n');

const log = createLogger('test', 'silent');
// RabbitMQ refuses to declare a queue again with another delay.
const retryDelayMs = 1_000;

const userRevision = (revision: number) => userChanged({ user_id: 7, revision });

interface BrokerServer {
  url(): string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

let rabbit: Rabbit;
let database: TestDatabase;
const rabbitServer: BrokerServer = {
  url: () => rabbit.url,
  async start() {
    rabbit = await startRabbit();
  },
  stop: () => rabbit.stop(),
};
const embeddedServer: BrokerServer = {
  url: () => database.url('broker'),
  async start() {
    database = await createEmptyDatabase();
  },
  stop: () => database.drop(),
};

for (const [name, brokerServer, run] of [
  ['the embedded broker', embeddedServer, true],
  ['RabbitMQ', rabbitServer, hasRabbit],
] as const) {
  describe.skipIf(!run)(name, () => {
    const open: Broker[] = [];
    const holders: ChildProcess[] = [];
    const broker = async () => {
      const opened = await openBroker({ url: brokerServer.url(), log, retryDelayMs });
      open.push(opened);
      return opened;
    };
    const publish = (from: Broker, event: CloudEvent) =>
      waitFor(() => from.publish({ event, traceparent: null }).then(() => true));

    beforeAll(brokerServer.start, 90_000);
    afterEach(async () => {
      for (const holder of holders.splice(0)) holder.kill('SIGKILL');
      for (const each of open.splice(0)) {
        await each.stopConsuming();
        await each.close();
      }
    });
    afterAll(brokerServer.stop);

    test('an event is delivered to every consumer that subscribes to its type, and to no other', async () => {
      const [publisher, reader] = [await broker(), await broker()];
      const user = userRevision(1);
      const received: string[] = [];
      const consumeAll = async (ids: string[]) => {
        for (const consumer of ['courses', 'quiz', 'homework'] as const)
          await reader.consume(consumer, async ({ event }) => {
            // Events of other tests may still be in the queues.
            if (ids.includes(event.id)) received.push(`${consumer} ${event.type}`);
            return 'done';
          });
      };
      const course = {
        id: 1,
        title: 'Logic',
        description: null,
        created_at: '2026-01-01T00:00:00Z',
        revision: 1,
      };
      const changed = createEvent('courses', 'course.changed.v1', 'courses/1', course);
      await consumeAll([user.id, changed.id]);
      await publish(publisher, user);
      await publish(publisher, changed);
      await waitFor(() => received.length >= 4);
      // If a consumer receives too many events, the event is still in its queue.
      for (const consumer of ['courses', 'quiz', 'homework'] as const)
        await waitFor(async () => (await reader.depths(consumer)).waiting === 0);
      expect(received.toSorted()).toEqual([
        'courses user.changed.v1',
        'homework course.changed.v1',
        'homework user.changed.v1',
        'quiz user.changed.v1',
      ]);
    });

    test('an event published while its consumer is stopped is delivered when the consumer starts', async () => {
      const publisher = await broker();
      const event = userRevision(2);
      await publish(publisher, event);
      const received: string[] = [];
      await (await broker()).consume('quiz', async (envelope) => {
        received.push(envelope.event.id);
        return 'done';
      });
      await waitFor(() => received.includes(event.id));
      expect(received.filter((id) => id === event.id)).toHaveLength(1);
    });

    test('an event is delivered unchanged with its traceparent', async () => {
      const [publisher, reader] = [await broker(), await broker()];
      const event = userRevision(3);
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      const received: unknown[] = [];
      await reader.consume('quiz', async (envelope) => {
        if (envelope.event.id === event.id) received.push(envelope);
        return 'done';
      });
      await waitFor(() => publisher.publish({ event, traceparent }).then(() => true));
      await waitFor(() => received.length > 0);
      expect(received).toEqual([{ event, traceparent }]);
    });

    test('a delayed message is redelivered without using up attempts', async () => {
      const [publisher, reader] = [await broker(), await broker()];
      const event = userRevision(4);
      let deliveries = 0;
      await reader.consume('quiz', async (envelope) => {
        if (envelope.event.id !== event.id) return 'done';
        deliveries += 1;
        return deliveries <= 2 ? 'later' : 'done';
      });
      await publish(publisher, event);
      await waitFor(() => deliveries === 3);
      expect(await reader.deadLetters.count('quiz')).toBe(0);
    });

    test('a failing message becomes a dead letter after the maximum number of attempts and can be replayed', async () => {
      const [publisher, reader] = [await broker(), await broker()];
      const event = userRevision(5);
      let outcome: Outcome = 'failed';
      let deliveries = 0;
      await reader.consume('quiz', async (envelope) => {
        if (envelope.event.id !== event.id) return 'done';
        deliveries += 1;
        return outcome;
      });
      await publish(publisher, event);
      await waitFor(async () => (await reader.deadLetters.count('quiz')) === 1);
      expect(deliveries).toBe(deliveryLimit);
      outcome = 'done';
      expect(await reader.deadLetters.replay('quiz')).toBe(1);
      await waitFor(() => deliveries === deliveryLimit + 1);
      expect(await reader.deadLetters.count('quiz')).toBe(0);
    });

    test('a message that a killed consumer held is delivered again', async () => {
      const publisher = await broker();
      const event = userRevision(8);
      const holder = startHolder(brokerServer.url(), event.id);
      holders.push(holder);
      let held = false;
      holder.stdout?.once('data', () => {
        held = true;
      });
      await publish(publisher, event);
      await waitFor(() => held);
      holder.kill('SIGKILL');
      const delivered: string[] = [];
      await (await broker()).consume('quiz', async (envelope) => {
        delivered.push(envelope.event.id);
        return 'done';
      });
      await waitFor(() => delivered.includes(event.id));
    });

    test('queue depths count waiting, retrying and dead messages', async () => {
      const [publisher, reader, cleaner] = [await broker(), await broker(), await broker()];
      const empty = { waiting: 0, retrying: 0, dead: 0 };
      // Another test may have left a message: an event is sent again when its confirmation is late.
      await cleaner.consume('quiz', async () => 'done');
      await waitFor(async () => {
        const { waiting, retrying } = await reader.depths('quiz');
        return waiting + retrying === 0;
      });
      await cleaner.stopConsuming();
      expect(await reader.depths('quiz')).toEqual(empty);
      const event = userRevision(7);
      await publish(publisher, event);
      await waitFor(async () => (await reader.depths('quiz')).waiting === 1);
      let outcome: Outcome = 'later';
      await reader.consume('quiz', async () => outcome);
      await waitFor(async () => (await reader.depths('quiz')).retrying === 1);
      outcome = 'failed';
      await waitFor(async () => (await reader.depths('quiz')).dead === 1);
      expect(await reader.depths('quiz')).toEqual({ ...empty, dead: 1 });
      outcome = 'done';
      await reader.deadLetters.replay('quiz');
      await waitFor(async () => (await reader.depths('quiz')).dead === 0);
    });

    test('every listener is notified of an event', async () => {
      const [publisher, first, second] = [await broker(), await broker(), await broker()];
      const notified: string[] = [];
      await first.listen(['session.revoked.v1'], (type) => notified.push(`first ${type}`));
      await second.listen(['session.revoked.v1'], (type) => notified.push(`second ${type}`));
      const revoked = { session_ids: [1], revoked_at: new Date().toISOString() };
      await waitFor(async () => {
        await publisher.publish({
          event: createEvent('auth', 'session.revoked.v1', 'sessions/1', revoked),
          traceparent: null,
        });
        return (
          notified.some((line) => line.startsWith('first')) &&
          notified.some((line) => line.startsWith('second'))
        );
      });
      expect(new Set(notified)).toEqual(new Set(['first session.revoked.v1', 'second session.revoked.v1']));
    });

    test('stopConsuming waits for the delivery in progress', async () => {
      const [publisher, reader] = [await broker(), await broker()];
      const event = userRevision(6);
      let state = 'not started';
      await reader.consume('quiz', async (envelope) => {
        if (envelope.event.id !== event.id) return 'done';
        state = 'started';
        // This delay is deliberate: the delivery must still be in progress when consuming stops.
        await sleep(300);
        state = 'ended';
        return 'done';
      });
      await publish(publisher, event);
      await waitFor(() => state === 'started');
      await reader.stopConsuming();
      expect(state).toBe('ended');
    });
  });
}

describe('the embedded broker with many events', () => {
  let own: TestDatabase;
  let broker: Broker;
  beforeAll(async () => {
    own = await createTestDatabase();
    broker = await openBroker({ url: own.url('broker'), log, retryDelayMs });
  });
  afterAll(async () => {
    await broker.close();
    await own.drop();
  });

  // RabbitMQ does the same from version 4 on.
  test('the embedded broker delivers a current event before the backlog of the same consumer', async () => {
    const backlog = Array.from({ length: 250 }, (_, index) => userRevision(index));
    await Promise.all(
      backlog.map((event) => broker.publish({ event, traceparent: null }, { isBacklog: true })),
    );
    const current = userRevision(1_000);
    await broker.publish({ event: current, traceparent: null });
    // A slow machine may deliver an event again, and another test's events may be waiting in the queue.
    const ids = new Set([...backlog, current].map(({ id }) => id));
    const received = new Set<string>();
    await broker.consume('quiz', async ({ event }) => {
      if (ids.has(event.id)) received.add(event.id);
      return 'done';
    });
    await expect.poll(() => received.size, { timeout: 60_000 }).toBe(251);
    expect([...received][0]).toBe(current.id);
  });

  test('the embedded broker rejects an event that it cannot store, and stores the others published with it', async () => {
    const events = [userRevision(1), userChanged({ user_id: 7, first_name: '\0' }), userRevision(2)];
    const published = events.map((event) => broker.publish({ event, traceparent: null }));
    const states = (await Promise.allSettled(published)).map(({ status }) => status);
    expect(states).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

/** Starts a consumer process that writes a line when it receives an event, and never finishes handling it. */
function startHolder(url: string, eventId: string): ChildProcess {
  const program = `
    import { openBroker } from '@gradeway/shared/events/openBroker';
    import { createLogger } from '@gradeway/shared/process/logger';
    const log = createLogger('holder', 'silent');
    const broker = await openBroker({ url: '${url}', log, retryDelayMs: ${retryDelayMs} });
    await broker.consume('quiz', ({ event }) => {
      if (event.id !== '${eventId}') return Promise.resolve('done');
      process.stdout.write('holds');
      return new Promise(() => {});
    });`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe.skipIf(!hasRabbit)('an outage of RabbitMQ', () => {
  let own: Rabbit;
  beforeAll(async () => {
    own = await startRabbit();
  });
  afterAll(() => own.stop());

  test('an outage of RabbitMQ makes publishing fail until the broker is reachable again', async () => {
    const broker = await openBroker({ url: own.url, log });
    const received: number[] = [];
    await broker.consume('quiz', async ({ event }) => {
      received.push((event as CloudEvent<'user.changed.v1'>).data.revision);
      return 'done';
    });
    const send = (revision: number) => broker.publish({ event: userRevision(revision), traceparent: null });
    await waitFor(() => send(1).then(() => true));
    await own.control('stop_app');
    await expect(send(2)).rejects.toThrow();
    await own.control('start_app');
    await waitFor(() => send(3).then(() => true));
    await waitFor(() => received.includes(3));
    await broker.close();
  });

  test('a memory alarm of RabbitMQ makes publishing time out instead of hang', async () => {
    const broker = await openBroker({ url: own.url, log });
    await waitFor(() => broker.publish({ event: userRevision(10), traceparent: null }).then(() => true));
    await own.control('set_vm_memory_high_watermark', '0');
    const publish = () => broker.publish({ event: userRevision(11), traceparent: null });
    const messageOfFailure = () => publish().catch((error) => error.message);
    expect(await waitFor(messageOfFailure)).toContain('in time');
    await own.control('set_vm_memory_high_watermark', '0.4');
    await waitFor(() => broker.publish({ event: userRevision(12), traceparent: null }).then(() => true));
    await broker.close();
  });
});
