import type { ConfirmChannel } from 'amqplib';
import { type ConsumerName, subscriptions } from './catalog.ts';

export const exchange = 'learning.events';

export interface DeclaredQueues {
  consumer: ConsumerName;
  main: string;
  /** Messages wait here for a moment and return to `main`. */
  retry: string;
  /** Messages that failed for good. */
  dead: string;
}

export const queuesOf = (consumer: ConsumerName): DeclaredQueues => ({
  consumer,
  main: `learning.${consumer}`,
  retry: `learning.${consumer}.retry`,
  dead: `learning.${consumer}.dead`,
});

// Dead-lettering by the broker is at most once unless the queue rejects what it cannot keep.
const deadLetterTo = (queue: string) => ({
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': queue,
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
});

// A message whose delivery keeps ending the process is never answered for by us: the broker counts these.
const crashLimit = 20;

export async function declareExchange(channel: ConfirmChannel): Promise<void> {
  await channel.assertExchange(exchange, 'topic', { durable: true });
}

/**
 * Declares the exchange and the queues of every consumer. Everything is durable and replicated (quorum queues);
 * declaring what exists already changes nothing.
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

const assertQuorumQueue = (channel: ConfirmChannel, name: string, settings: Record<string, unknown>) =>
  channel.assertQueue(name, { durable: true, arguments: { 'x-queue-type': 'quorum', ...settings } });
