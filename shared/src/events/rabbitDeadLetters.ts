import type { ConfirmChannel } from 'amqplib';
import type { MessageChanges } from './broker.ts';
import type { ConsumerName } from './catalog.ts';
import { type CloudEvent, readEvent } from './cloudEvent.ts';
import type { ConfirmedPublisher } from './confirmedPublisher.ts';
import { attemptsOf, republish } from './rabbitConsumer.ts';
import { queuesOf } from './rabbitTopology.ts';

interface Rewriting {
  consumer: ConsumerName;
  changes: MessageChanges;
  limit: number;
}

/** Moves all dead letters of a consumer back to its queue. Returns their number. */
export async function replayDeadLetters(
  channel: ConfirmChannel,
  publisher: () => ConfirmedPublisher,
  consumer: ConsumerName,
): Promise<number> {
  const { exchange, dead, main } = queuesOf(consumer);
  let replayed = 0;
  for (let message = await channel.get(dead); message; message = await channel.get(dead)) {
    await republish(publisher(), message, { exchange, queue: main, attempts: 0 });
    channel.ack(message);
    replayed += 1;
  }
  return replayed;
}

/**
 * Rewrites at most `limit` dead letters. Returns how many changed.
 *
 * Each message moves to the end of the queue, changed or not. It is acknowledged after the broker has confirmed the
 * copy, so a crash in between duplicates it but never loses it. Requeueing instead would count as a delivery, and
 * RabbitMQ 4 drops messages after twenty.
 */
export async function rewriteDeadLetters(
  channel: ConfirmChannel,
  publisher: () => ConfirmedPublisher,
  { consumer, changes, limit }: Rewriting,
): Promise<number> {
  const { exchange, dead } = queuesOf(consumer);
  let changed = 0;
  for (let each = 0; each < limit; each += 1) {
    const message = await channel.get(dead);
    if (!message) break;
    const content = rewriteMessage(message.content, changes);
    if (content) {
      const attempts = attemptsOf(message);
      await republish(publisher(), { ...message, content }, { exchange, queue: dead, attempts });
    }
    channel.ack(message);
    if (content !== message.content) changed += 1;
  }
  return changed;
}

/** Returns the changed content of a message: the same object if nothing changes, undefined if it is to be deleted. */
function rewriteMessage(content: Buffer, changes: MessageChanges): Buffer | undefined {
  const raw = content.toString('utf8');
  let event: CloudEvent;
  try {
    event = readEvent(raw);
  } catch {
    return changes.deletesUnreadable(raw) ? undefined : content;
  }
  const changed = changes.event(event);
  return changed === event ? content : Buffer.from(JSON.stringify(changed));
}
