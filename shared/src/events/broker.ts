import type { Logger } from '../process/logger.ts';
import type { ConsumerName, EventType } from './catalog.ts';
import type { Envelope } from './cloudEvent.ts';

/** Where events are published. */
export interface EventPublisher {
  /** Resolves once the broker answers for the event: it is stored and will be delivered to every consumer. */
  publish(envelope: Envelope): Promise<void>;
}

/** What became of a message that a consumer was given. */
export type Outcome =
  | 'done'
  /** Not now: deliver it again in a moment. Not counted, however often. */
  | 'later'
  /** It failed by its own content or our fault: a few more tries, then the dead letters. */
  | 'failed';

/** Where events come from. */
export interface EventConsumer {
  /** Delivers the events of this consumer's subscriptions, each at least once, several at a time. */
  consume(consumer: ConsumerName, receive: (envelope: Envelope) => Promise<Outcome>): Promise<void>;
  /** Stops deliveries and waits for those under way. */
  stopConsuming(): Promise<void>;
}

/** Where one only hears that there was an event. */
export interface EventListener {
  /** Tells every process that asks that there was an event of these types, while it runs. A hint, no delivery. */
  listen(types: EventType[], wake: (type: EventType) => void): Promise<void>;
  close(): Promise<void>;
}

/** For operators: messages that failed for good. */
export interface DeadLetters {
  count(consumer: ConsumerName): Promise<number>;
  /** Gives them to their consumer once more. Returns how many. */
  replay(consumer: ConsumerName): Promise<number>;
}

/** How many messages a consumer's queues hold. Those being handled at this moment are in none of them. */
export interface QueueDepths {
  /** To be delivered as soon as the consumer takes them. */
  waiting: number;
  /** Put off or failed, to be delivered again after a pause. */
  retrying: number;
  dead: number;
}

export interface Broker extends EventPublisher, EventConsumer, EventListener {
  deadLetters: DeadLetters;
  /** Asks the broker. @throws Error when it cannot be asked */
  depths(consumer: ConsumerName): Promise<QueueDepths>;
}

export interface BrokerOptions {
  url: string;
  log: Logger;
  /** How long a message waits before it is delivered again, in milliseconds. */
  retryDelayMs?: number;
}

/** How often a message may fail before it is a dead letter. */
export const deliveryLimit = 6;
