import { containerSecrets } from '@gradeway/local/compose/containerSecrets';
import { hasRabbit, type Rabbit, startRabbit } from '@gradeway/test/rabbitmq';
import { waitFor } from '@gradeway/test/waitFor';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Broker, deliveryLimit } from '../../src/events/broker.ts';
import {
  type ConsumerName,
  type EventType,
  listeners,
  publications,
  subscriptions,
  webhookEventTypes,
} from '../../src/events/catalog.ts';
import { createEvent } from '../../src/events/cloudEvent.ts';
import { openBroker, openEventListener } from '../../src/events/openBroker.ts';
import { type BrokerClient, brokerClients } from '../../src/events/rabbitPermissions.ts';
import { queueArgumentsOf, queuesOf } from '../../src/events/rabbitTopology.ts';
import { createLogger } from '../../src/process/logger.ts';

const eventTypes: EventType[] = [
  ...webhookEventTypes,
  'homework.changed.v1',
  'homework.allowance.changed.v1',
  'homework.submission.lateness.changed.v1',
  'quiz.changed.v1',
  'quiz.allowance.changed.v1',
  'quiz.submission.lateness.changed.v1',
  'session.revoked.v1',
  'audit.recorded.v1',
];
const published = Object.entries(publications) as [keyof typeof publications, readonly EventType[]][];
const consumers = Object.keys(subscriptions) as ConsumerName[];
const ownerOf = (consumer: ConsumerName) => consumer.split('-')[0] as BrokerClient;
const log = createLogger('test', 'silent');

const secretsOf = (address: string) =>
  containerSecrets(
    {
      postgres: 'p',
      rabbitmq: 'the secret that the passwords are derived from',
      service: 's',
      roles: { auth: 'a', courses: 'c', homework: 'h', quiz: 'q', broker: 'b' },
      keyEncryption: 'k',
      webhookEncryption: 'w',
      quizFiles: 'qf',
      homeworkFiles: 'hf',
      demoPassword: 'd',
      adminEmail: 'admin@example.com',
      adminPassword: 'p',
    },
    { postgres: 'postgres:5432', rabbitmq: address },
  );

test('every type of event is published by exactly one process, except audit entries, which three publish', () => {
  const others = ['audit.recorded.v1', 'audit.recorded.v1'];
  expect(published.flatMap(([, types]) => types).toSorted()).toEqual([...eventTypes, ...others].toSorted());
});

describe.skipIf(!hasRabbit)('RabbitMQ with a user for each process', () => {
  let rabbit: Rabbit;
  const open: { close(): Promise<unknown> }[] = [];
  const urlOf = (client: BrokerClient) => secretsOf(new URL(rabbit.url).host)[client].EVENTS_URL ?? '';
  const brokerOf = async (client: BrokerClient): Promise<Broker> => {
    const broker = await openBroker({ url: urlOf(client), log });
    open.push(broker);
    return broker;
  };
  const raw = async (client: BrokerClient): Promise<ChannelModel> => {
    const model = await connect(urlOf(client));
    model.on('error', () => {});
    open.push(model);
    return model;
  };
  /** Does something on a separate channel, and returns the broker's error code. */
  async function refusal(model: ChannelModel, work: (channel: Channel) => Promise<unknown>) {
    const channel = await model.createConfirmChannel();
    // A refused publication closes the channel without a response.
    const closed = new Promise<number | undefined>((resolve) => {
      channel.once('error', ({ code }: { code?: number }) => resolve(code));
    });
    const done = (async () => {
      await work(channel);
      await channel.waitForConfirms();
      return undefined;
    })().catch(() => closed);
    const code = await Promise.race([done, closed]);
    await channel.close().catch(() => {});
    return code;
  }
  const refused = 403;
  const eventOf = (type: EventType) => createEvent('auth', type, 'tests/1', { number: 1 } as never);

  const wanted = consumers.flatMap((consumer) => Object.keys(queueArgumentsOf(consumer))).toSorted();
  let imported: string[];

  beforeAll(async () => {
    rabbit = await startRabbit(secretsOf('unused:1').rabbitmq['definitions.json']);
    // Before any test connects or deletes a queue. RabbitMQ imports them at its start, several at a time; on a busy machine the
    // last ones come a moment later.
    imported = await waitFor(async () => {
      const lines = (await rabbit.control('list_queues', 'name', '--no-table-headers')).trim().split('\n');
      return lines.length >= wanted.length && lines.toSorted();
    });
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close().catch(() => {});
  });
  afterAll(() => rabbit?.stop());

  test('RabbitMQ has no other users, and every queue exists before the first process connects', async () => {
    const users = (await rabbit.control('list_users', '--no-table-headers')).trim().split('\n');
    expect(users.map((line) => line.split('\t')[0]).toSorted()).toEqual(
      brokerClients.map((client) => `gradeway_${client}`).toSorted(),
    );
    expect(imported).toEqual(wanted);
  });

  test('each process publishes its events, which reach every consumer, are retried and become dead letters', async () => {
    const received = new Map<ConsumerName, Set<string>>();
    for (const consumer of consumers) {
      const types = new Set<string>();
      received.set(consumer, types);
      const broker = await brokerOf(ownerOf(consumer));
      let delayed = false;
      await broker.consume(consumer, async ({ event }) => {
        if (!delayed) {
          delayed = true;
          return 'later';
        }
        types.add(event.type);
        return 'done';
      });
    }
    for (const [client, types] of published) {
      const broker = await brokerOf(client);
      for (const type of types)
        await waitFor(() => broker.publish({ event: eventOf(type), traceparent: null }).then(() => true));
    }
    for (const consumer of consumers)
      await waitFor(() => received.get(consumer)?.size === subscriptions[consumer].length);
  });

  test('a RabbitMQ message moves to the dead letters and back', async () => {
    const courses = await brokerOf('courses');
    const auth = await brokerOf('auth');
    const event = eventOf('user.changed.v1');
    let failing = true;
    let [failed, delivered] = [0, 0];
    await courses.consume('courses', async (received) => {
      if (received.event.id !== event.id) return 'done';
      if (failing) failed += 1;
      else delivered += 1;
      return failing ? 'failed' : 'done';
    });
    await waitFor(() => auth.publish({ event, traceparent: null }).then(() => true));
    await waitFor(() => failed === deliveryLimit);
    await waitFor(() => courses.deadLetters.count('courses'));
    failing = false;
    // Repeated, because messages of other tests also become dead letters, perhaps before this one.
    await waitFor(async () => {
      await courses.deadLetters.replay('courses');
      return delivered === 1;
    });
    expect(failed).toBe(deliveryLimit);
  });

  test.each(Object.keys(listeners) as BrokerClient[])('%s listens for ended sessions', async (client) => {
    let woken = 0;
    const listener = await openEventListener({ url: urlOf(client), log });
    open.push(listener);
    await listener.listen(['session.revoked.v1'], () => {
      woken += 1;
    });
    const auth = await brokerOf('auth');
    await waitFor(async () => {
      await auth.publish({ event: eventOf('session.revoked.v1'), traceparent: null });
      return woken > 0;
    });
  });

  test.each(brokerClients)('%s is refused every event of others, on every exchange', async (client) => {
    const model = await raw(client);
    const own: readonly EventType[] = published.find(([name]) => name === client)?.[1] ?? [];
    const publishTo = (exchange: string, key: string) =>
      refusal(model, async (channel) => channel.publish(exchange, key, Buffer.from('{}')));
    for (const type of eventTypes)
      expect(await publishTo('learning.events', type), type).toBe(own.includes(type) ? undefined : refused);
    for (const consumer of consumers) {
      const { main, exchange } = queuesOf(consumer);
      // The default exchange reaches every queue by its name.
      expect(await publishTo('', main), `default exchange to ${main}`).toBe(refused);
      if (ownerOf(consumer) !== client) expect(await publishTo(exchange, main), main).toBe(refused);
    }
  });

  test.each(brokerClients)(
    '%s can neither read, empty, delete nor bind the queues of others',
    async (client) => {
      const model = await raw(client);
      for (const consumer of consumers.filter((each) => ownerOf(each) !== client))
        for (const name of Object.keys(queueArgumentsOf(consumer))) {
          expect(await refusal(model, (channel) => channel.get(name)), `get ${name}`).toBe(refused);
          expect(await refusal(model, (channel) => channel.purgeQueue(name)), `purge ${name}`).toBe(refused);
          expect(await refusal(model, (channel) => channel.deleteQueue(name)), `delete ${name}`).toBe(
            refused,
          );
          const bind = (channel: Channel) => channel.bindQueue(name, 'learning.events', 'session.revoked.v1');
          expect(await refusal(model, bind), `bind ${name}`).toBe(refused);
        }
      const remove = (channel: Channel) => channel.deleteExchange('learning.events');
      expect(await refusal(model, remove)).toBe(refused);
      expect(await refusal(model, (channel) => channel.assertQueue('another'))).toBe(refused);
    },
  );

  test('a process gets no events that it does not subscribe to, and cannot forward events to the queues of others', async () => {
    const model = await raw('quiz');
    const bind = (type: EventType) => (channel: Channel) =>
      channel.bindQueue('learning.quiz', 'learning.events', type);
    expect(await refusal(model, bind('user.changed.v1'))).toBeUndefined();
    expect(await refusal(model, bind('homework.submission.graded.v1'))).toBe(refused);
    expect(await refusal(model, bind('#' as EventType))).toBe(refused);
    const forward = (deadLetterExchange: string) => async (channel: Channel) => {
      await channel.deleteQueue('learning.quiz.retry');
      const forwarding = {
        'x-queue-type': 'quorum',
        'x-dead-letter-exchange': deadLetterExchange,
        'x-dead-letter-routing-key': 'learning.courses',
      };
      await channel.assertQueue('learning.quiz.retry', { arguments: forwarding });
    };
    for (const exchange of ['', 'learning.courses'])
      expect(await refusal(model, forward(exchange)), exchange).toBe(refused);
  });

  test('a process restores its own queues when they are deleted, and keeps events published in the meantime', async () => {
    await rabbit.control('delete_queue', 'learning.homework');
    const auth = await brokerOf('auth');
    const publish = () => auth.publish({ event: eventOf('user.deleted.v1'), traceparent: null });
    // Until homework has restored its queue, the publisher is refused: the event stays in the outbox.
    await expect(publish()).rejects.toThrow();
    const homework = await brokerOf('homework');
    let received = 0;
    await homework.consume('homework', async ({ event }) => {
      if (event.type === 'user.deleted.v1') received += 1;
      return 'done';
    });
    await waitFor(() =>
      publish().then(
        () => true,
        () => false,
      ),
    );
    await waitFor(() => received > 0);
  });
});
