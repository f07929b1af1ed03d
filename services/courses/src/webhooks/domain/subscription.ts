/** A program outside that wants to be told of events. */
export interface Subscription {
  id: number;
  url: string;
  description: string | null;
  /** Of the catalog, or `*` alone. */
  eventTypes: string[];
  isActive: boolean;
  /** Why we switched it off: its receiver is `gone` (410), or has been `failing` for too long. */
  disabledReason: 'gone' | 'failing' | null;
  /** The first failure since the last success. */
  failingSince: Date | null;
  /** Until when the secret before the present one signs as well. */
  previousSecretUntil: Date | null;
  createdAt: Date;
}

/** What an administrator may set of it. */
export type SubscriptionProperties = Pick<Subscription, 'url' | 'description' | 'eventTypes' | 'isActive'>;

/** The `event_types` of a subscription to everything that is offered, now and later. */
export const everyType = '*';

/** What is sent when an administrator asks for a test. Nobody subscribes to it. */
export const testType = 'webhook.test.v1';
