/** An external receiver that has subscribed to events. */
export interface Subscription {
  id: number;
  url: string;
  description: string | null;
  /** Types of the event catalog, or `*` alone. */
  eventTypes: string[];
  isActive: boolean;
  /** Why it was disabled automatically: the receiver is `gone` (410), or has been `failing` for too long. */
  disabledReason: 'gone' | 'failing' | null;
  /** The first failure since the last success. */
  failingSince: Date | null;
  /** Until then, the previous secret also signs. */
  previousSecretUntil: Date | null;
  createdAt: Date;
}

/** The properties that an administrator sets. */
export type SubscriptionProperties = Pick<Subscription, 'url' | 'description' | 'eventTypes' | 'isActive'>;

/** A value of `event_types`: all types in the catalog, including those added later. */
export const everyType = '*';

/** The type of test messages. It is not part of the catalog and has no subscribers. */
export const testType = 'webhook.test.v1';
