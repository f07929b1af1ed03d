import type { Channel, ChannelModel } from 'amqplib';
import { type ConsumerName, consumers, subscriptions } from './catalog.ts';

/** The topic exchange of all events. */
export const exchange = 'learning.events';

/** A span's destination in the OpenTelemetry conventions: exchange, routing key and, for a consumer, its queue. */
export const destination = (...names: string[]) => ({
  system: 'rabbitmq',
  name: [exchange, ...names].join(':'),
});

export interface DeclaredQueues {
  consumer: ConsumerName;
  /** Routes to this consumer's queues by name, because its user may not write to the queues of others. */
  exchange: string;
  main: string;
  /** Holds messages for the retry delay, then returns them to `main`. */
  retry: string;
  /** Messages that have used up their attempts. */
  dead: string;
}

export const queuesOf = (consumer: ConsumerName): DeclaredQueues => ({
  consumer,
  exchange: `learning.${consumer}`,
  main: `learning.${consumer}`,
  retry: `learning.${consumer}.retry`,
  dead: `learning.${consumer}.dead`,
});

/** The delay before a message is redelivered. Only tests override it. */
export const defaultRetryDelayMs = 2_000;

// A message that crashes its consumer is never settled, so only the broker can count its deliveries.
const crashLimit = 20;

/** Queue arguments by name, in order of declaration: a queue may refer to earlier ones. */
export function queueArgumentsOf(consumer: ConsumerName, retryDelayMs = defaultRetryDelayMs) {
  const { exchange: own, main, retry, dead } = queuesOf(consumer);
  const quorum = { 'x-queue-type': 'quorum' };
  // RabbitMQ dead-letters at least once only if the last two arguments are both set; the default is at most once.
  const deadLetterTo = (queue: string) => ({
    'x-dead-letter-exchange': own,
    'x-dead-letter-routing-key': queue,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  });
  return {
    [dead]: quorum,
    [retry]: { ...quorum, 'x-message-ttl': retryDelayMs, ...deadLetterTo(main) },
    [main]: { ...quorum, 'x-delivery-limit': crashLimit, ...deadLetterTo(dead) },
  };
}

/** Declares the exchange of all events if missing. Users of existing brokers need no permission to configure it. */
export async function declareExchange(model: ChannelModel): Promise<void> {
  if (await exists(model, (channel) => channel.checkExchange(exchange))) return;
  await withChannel(model, (channel) => channel.assertExchange(exchange, 'topic', { durable: true }));
}

/**
 * Declares the exchange and the queues of every consumer where they are missing. For a user that may not configure the
 * queues of others, this fails until their consumers have declared them.
 */
export async function declareTopology(model: ChannelModel, retryDelayMs: number): Promise<void> {
  await declareExchange(model);
  for (const consumer of consumers) {
    // The main queue is declared last.
    const { main } = queuesOf(consumer);
    const isDeclared = await exists(model, (channel) => channel.checkQueue(main));
    if (!isDeclared) await declareConsumer(model, consumer, retryDelayMs);
  }
}

/**
 * Declares a consumer's queues and the exchanges they are bound to, durable and replicated (quorum queues). Existing
 * queues stay unchanged, because the broker rejects a declaration with other arguments. Can be repeated safely.
 */
export async function declareConsumer(
  model: ChannelModel,
  consumer: ConsumerName,
  retryDelayMs: number,
): Promise<void> {
  const { exchange: own, main } = queuesOf(consumer);
  const queues = Object.entries(queueArgumentsOf(consumer, retryDelayMs));
  await declareExchange(model);
  await withChannel(model, (channel) => channel.assertExchange(own, 'direct', { durable: true }));
  for (const [name, queueArguments] of queues) {
    const isDeclared = await exists(model, (channel) => channel.checkQueue(name));
    await withChannel(model, async (channel) => {
      if (!isDeclared) await channel.assertQueue(name, { durable: true, arguments: queueArguments });
      await channel.bindQueue(name, own, name);
    });
  }
  await withChannel(model, async (channel) => {
    for (const type of subscriptions[consumer]) await channel.bindQueue(main, exchange, type);
  });
}

/** Checks whether a passive declaration succeeds, which needs no permission. */
async function exists(model: ChannelModel, check: (channel: Channel) => Promise<unknown>): Promise<boolean> {
  try {
    await withChannel(model, check);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 404) return false;
    throw error;
  }
}

// A failed declaration closes its channel, so each has its own.
async function withChannel(model: ChannelModel, work: (channel: Channel) => Promise<unknown>): Promise<void> {
  const channel = await model.createChannel();
  // The failed call reports the error.
  channel.on('error', () => {});
  await work(channel);
  await channel.close();
}
