import type { Logger } from '../process/logger.ts';
import type { ConsumerName, EventType } from './catalog.ts';
import type { CloudEvent, Envelope } from './cloudEvent.ts';

export interface EventPublisher {
  /** Resolves once the broker has confirmed the event: it is stored and will be delivered to every consumer. */
  publish(envelope: Envelope, options?: PublishOptions): Promise<void>;
}

export interface PublishOptions {
  /** If true, current events overtake this one while both wait for their consumer. Events are current by default. */
  isBacklog?: boolean;
}

/** Result of handling a delivered event. */
export type Outcome =
  | 'done'
  /** Temporarily impossible: redeliver after a pause. Does not count as an attempt. */
  | 'later'
  /** Failed: counts as an attempt. After {@link deliveryLimit} attempts the message becomes a dead letter. */
  | 'failed';

export interface EventConsumer {
  /** Delivers the events that the consumer subscribes to, each at least once, several at a time. */
  consume(consumer: ConsumerName, receive: (envelope: Envelope) => Promise<Outcome>): Promise<void>;
  /** Stops deliveries and waits for those in progress. */
  stopConsuming(): Promise<void>;
}

/** Notifications of events, without the events themselves. */
export interface EventListener {
  /**
   * Calls `wake` for every event of these types published while the process is connected. Notifications can be lost:
   * they shorten waits, but nothing may depend on them.
   */
  listen(types: EventType[], wake: (type: EventType) => void): Promise<void>;
  close(): Promise<void>;
}

/** Messages that have used up their attempts. */
export interface DeadLetters {
  count(consumer: ConsumerName): Promise<number>;
  /** Moves the dead letters of a consumer back to its queue. Returns their number. */
  replay(consumer: ConsumerName): Promise<number>;
  /**
   * Rewrites a consumer's dead letters, and any of its messages that the broker still stores after delivery. While it
   * works, yields the number of messages changed since the last yield.
   */
  rewrite(consumer: ConsumerName, changes: MessageChanges): AsyncGenerator<number>;
}

export interface MessageChanges {
  /** Returns the event to store; the same object if nothing changes. */
  event(event: CloudEvent): CloudEvent;
  /** Whether to delete a message that is not an event. */
  deletesUnreadable(raw: string): boolean;
}

/** Number of messages in a consumer's queues, excluding those being handled. */
export interface QueueDepths {
  /** Ready for delivery. */
  waiting: number;
  /** Pausing before the next delivery. */
  retrying: number;
  dead: number;
}

export interface Broker extends EventPublisher, EventConsumer, EventListener {
  deadLetters: DeadLetters;
  /** @throws Error if the broker is unreachable */
  depths(consumer: ConsumerName): Promise<QueueDepths>;
}

export interface BrokerOptions {
  url: string;
  log: Logger;
  /** Pause before a message is redelivered, in milliseconds. */
  retryDelayMs?: number;
}

/** Max number of concurrent deliveries per consumer: enough for a whole batch (consumeEvents.ts). */
export const concurrentDeliveries = 100;

/** Max number of failed attempts per message. */
export const deliveryLimit = 6;
