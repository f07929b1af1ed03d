import { notFound } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import { createSecret } from './signature.ts';
import type { Subscription } from './subscription.ts';

/** Replaces the secret of a subscription. For 24 hours both sign, so that the receiver can switch without a gap. */
export async function rotateSecret(
  { subscriptions, secretCipher }: Pick<WebhookDependencies, 'subscriptions' | 'secretCipher'>,
  id: number,
  secret = createSecret(),
): Promise<{ subscription: Subscription; secret: Buffer }> {
  const subscription = await subscriptions.rotateSecret(id, await secretCipher.encrypt(secret, id));
  if (!subscription) throw notFound();
  return { subscription, secret };
}
