import { waitFor } from '@gradeway/test/waitFor';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { expect, test } from 'vitest';
import type { ConfirmedPublisher } from '../../src/events/confirmedPublisher.ts';
import { RabbitConsumer } from '../../src/events/rabbitConsumer.ts';
import { queuesOf } from '../../src/events/rabbitTopology.ts';
import { createLogger } from '../../src/process/logger.ts';

// It is not an event, so it fails.
const message = { content: Buffer.from('{}'), properties: { headers: {} } } as unknown as ConsumeMessage;

// A fake, because a broker with a slow disk cannot be reproduced on demand.
function createBusyBroker(refusals: number) {
  const [published, subscribed, cancelled] = [[] as string[], [] as string[], [] as string[]];
  const acknowledged: ConsumeMessage[] = [];
  let deliver: (message: ConsumeMessage) => void = () => {};
  const channel = {
    prefetch: async () => {},
    consume: async (queue: string, onMessage: typeof deliver) => {
      subscribed.push(queue);
      deliver = onMessage;
      return { consumerTag: 'tag' };
    },
    cancel: async (tag: string) => cancelled.push(tag),
    ack: (each: ConsumeMessage) => acknowledged.push(each),
  } as unknown as ConfirmChannel;
  const publisher = {
    async publish(_: string, queue: string) {
      published.push(queue);
      if (published.length <= refusals) throw new Error('the broker did not confirm in time');
    },
  } as unknown as ConfirmedPublisher;
  const consumer = new RabbitConsumer({
    queues: queuesOf('quiz'),
    receive: async () => 'done',
    publisher: () => publisher,
    log: createLogger('test', 'silent'),
  });
  return {
    channel,
    consumer,
    published,
    acknowledged,
    subscribed,
    cancelled,
    deliver: () => deliver(message),
  };
}

test('a failed message whose copy is not confirmed in time is published again, and then acknowledged', async () => {
  const { channel, consumer, published, acknowledged, deliver } = createBusyBroker(2);
  await consumer.start(channel);
  deliver();
  await waitFor(() => acknowledged.length > 0);
  expect(published).toEqual(Array(3).fill('learning.quiz.retry'));
  expect(acknowledged).toEqual([message]);
  await consumer.stop();
});

test('a consumer that stops leaves a message with an unconfirmed copy to the broker', async () => {
  const { channel, consumer, acknowledged, published, deliver } = createBusyBroker(Number.POSITIVE_INFINITY);
  await consumer.start(channel);
  deliver();
  await waitFor(() => published.length > 0);
  await consumer.stop();
  expect(acknowledged).toEqual([]);
});

test('a consumer with a new channel leaves the messages of the previous one to the broker', async () => {
  const { channel, consumer, acknowledged, published, deliver } = createBusyBroker(Number.POSITIVE_INFINITY);
  await consumer.start(channel);
  deliver();
  await waitFor(() => published.length > 0);
  await consumer.start({ ...channel } as ConfirmChannel);
  const before = published.length;
  await consumer.stop();
  expect(published.length - before).toBeLessThanOrEqual(1);
  expect(acknowledged).toEqual([]);
});

test('a consumer that is stopped before the broker is connected does not start afterwards', async () => {
  const { channel, consumer, subscribed } = createBusyBroker(0);
  await consumer.stop();
  await consumer.start(channel);
  expect(subscribed).toEqual([]);
});

test('a consumer that is stopped while it starts is cancelled once it has started', async () => {
  const { channel, consumer, cancelled } = createBusyBroker(0);
  const started = consumer.start(channel);
  await consumer.stop();
  await started;
  expect(cancelled).toEqual(['tag']);
});
