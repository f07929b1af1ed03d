import { invalid } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import { createSecret } from './signature.ts';
import type { Subscription, SubscriptionProperties } from './subscription.ts';

type Dependencies = Pick<WebhookDependencies, 'subscriptions' | 'secretCipher' | 'ssrfGuard'>;

interface Created {
  subscription: Subscription;
  /** Shown only once, in the response to its creation. */
  secret: Buffer;
}

/** Creates a subscription, with a generated secret unless the receiver has one already. */
export async function createSubscription(
  { subscriptions, secretCipher, ssrfGuard }: Dependencies,
  properties: SubscriptionProperties,
  secret = createSecret(),
): Promise<Created> {
  const violation = await ssrfGuard.findReceiverViolation(properties.url);
  if (violation) throw invalid({ url: [violation] });
  const subscription = await subscriptions.create(properties, (id) => secretCipher.encrypt(secret, id));
  return { subscription, secret };
}
