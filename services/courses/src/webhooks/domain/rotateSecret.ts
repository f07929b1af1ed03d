import { notFound } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import { createSecret } from './signature.ts';
import type { Subscription } from './subscription.ts';

/** Gives a subscription another secret. For 24 hours both sign, so that its receiver can change over in peace. */
export async function rotateSecret(
  { subscriptions, secrets }: Pick<WebhookDependencies, 'subscriptions' | 'secrets'>,
  id: number,
  secret = createSecret(),
): Promise<{ subscription: Subscription; secret: Buffer }> {
  const subscription = await subscriptions.rotateSecret(id, await secrets.seal(secret, id));
  if (!subscription) throw notFound();
  return { subscription, secret };
}
