import type { ConfirmChannel } from 'amqplib';
import { type ConsumerName, subscriptions } from './catalog.ts';

export const exchange = 'learning.events';

export interface DeclaredQueues {
  consumer: ConsumerName;
  main: string;
  /** Holds messages for the retry delay, then returns them to `main`. */
  retry: string;
  /** Messages whose attempts are used up. */
  dead: string;
}

export const queuesOf = (consumer: ConsumerName): DeclaredQueues => ({
  consumer,
  main: `learning.${consumer}`,
  retry: `learning.${consumer}.retry`,
  dead: `learning.${consumer}.dead`,
});

// RabbitMQ dead-letters at least once only with both of the last two arguments; the default is at most once.
const deadLetterTo = (queue: string) => ({
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': queue,
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
});

// A message that crashes its consumer is never settled, so only the broker can count its deliveries.
const crashLimit = 20;

export async function declareExchange(channel: ConfirmChannel): Promise<void> {
  await channel.assertExchange(exchange, 'topic', { durable: true });
}

/**
 * Declares the exchange and the queues of every consumer: durable and replicated (quorum queues). Declaring them again
 * has no effect.
 */
export async function declareTopology(channel: ConfirmChannel, retryDelayMs: number): Promise<void> {
  await declareExchange(channel);
  for (const [consumer, types] of Object.entries(subscriptions)) {
    const { main, retry, dead } = queuesOf(consumer as ConsumerName);
    await assertQuorumQueue(channel, dead, {});
    await assertQuorumQueue(channel, retry, { 'x-message-ttl': retryDelayMs, ...deadLetterTo(main) });
    await assertQuorumQueue(channel, main, { 'x-delivery-limit': crashLimit, ...deadLetterTo(dead) });
    for (const type of types) await channel.bindQueue(main, exchange, type);
  }
}

const assertQuorumQueue = (channel: ConfirmChannel, name: string, queueArguments: Record<string, unknown>) =>
  channel.assertQueue(name, {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', ...queueArguments },
  });
