import type { Logger } from '../process/logger.ts';
import type { ConsumerName, EventType } from './catalog.ts';
import type { CloudEvent, Envelope } from './cloudEvent.ts';

export interface EventPublisher {
  /** Resolves when the broker has confirmed the event: it is stored and will be delivered to every consumer. */
  publish(envelope: Envelope, options?: PublishOptions): Promise<void>;
}

export interface PublishOptions {
  /** Whether current events overtake this one while both wait for their consumer. Otherwise it is current. */
  isBacklog?: boolean;
}

/** Result of handling a delivered event. */
export type Outcome =
  | 'done'
  /** Temporarily impossible: deliver it again after a pause. Does not count as an attempt. */
  | 'later'
  /** Failed: counts as an attempt. After {@link deliveryLimit} attempts the message becomes a dead letter. */
  | 'failed';

export interface EventConsumer {
  /** Delivers the events that the consumer subscribes to, each at least once, several concurrently. */
  consume(consumer: ConsumerName, receive: (envelope: Envelope) => Promise<Outcome>): Promise<void>;
  /** Stops deliveries and waits for those in progress. */
  stopConsuming(): Promise<void>;
}

/** Notifications of events, without the events themselves. */
export interface EventListener {
  /**
   * Calls `wake` for every event of these types that is published while the process is connected. Notifications may be
   * lost: they shorten waiting, but nothing may depend on them.
   */
  listen(types: EventType[], wake: (type: EventType) => void): Promise<void>;
  close(): Promise<void>;
}

/** Messages whose attempts are used up. */
export interface DeadLetters {
  count(consumer: ConsumerName): Promise<number>;
  /** Moves the dead letters of a consumer back to its queue. Returns their number. */
  replay(consumer: ConsumerName): Promise<number>;
  /**
   * Rewrites the dead letters of a consumer, and whatever else of its messages the broker still stores after their
   * delivery. Yields, while it works, how many messages it has changed since.
   */
  rewrite(consumer: ConsumerName, changes: MessageChanges): AsyncGenerator<number>;
}

export interface MessageChanges {
  /** The event as it shall be stored; the same object if nothing changes. */
  event(event: CloudEvent): CloudEvent;
  /** Whether a message that is no event is deleted. */
  deletesUnreadable(raw: string): boolean;
}

/** Number of messages in the queues of a consumer. Messages being handled are not included. */
export interface QueueDepths {
  /** Ready for delivery. */
  waiting: number;
  /** Waiting for the pause before their next delivery. */
  retrying: number;
  dead: number;
}

export interface Broker extends EventPublisher, EventConsumer, EventListener {
  deadLetters: DeadLetters;
  /** @throws Error when the broker is unreachable */
  depths(consumer: ConsumerName): Promise<QueueDepths>;
}

export interface BrokerOptions {
  url: string;
  log: Logger;
  /** Pause before a message is delivered again, in milliseconds. */
  retryDelayMs?: number;
}

/** Maximum number of failed attempts at a message. */
export const deliveryLimit = 6;
