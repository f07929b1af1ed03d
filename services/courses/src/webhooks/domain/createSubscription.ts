import { invalid } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import { createSecret } from './signature.ts';
import type { Subscription, SubscriptionProperties } from './subscription.ts';

interface Created {
  subscription: Subscription;
  /** Told once: from now on it is only ever opened to sign. */
  secret: Buffer;
}

/** Makes a subscription, with a secret of ours unless its receiver has brought one. */
export async function createSubscription(
  { subscriptions, secrets, rule }: Pick<WebhookDependencies, 'subscriptions' | 'secrets' | 'rule'>,
  properties: SubscriptionProperties,
  secret = createSecret(),
): Promise<Created> {
  const complaint = await rule.complaintAboutReceiver(properties.url);
  if (complaint) throw invalid({ url: [complaint] });
  const subscription = await subscriptions.create(properties, (id) => secrets.seal(secret, id));
  return { subscription, secret };
}
