import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import { auditWebhook } from './auditWebhook.ts';
import { createSecret } from './signature.ts';
import type { Subscription } from './subscription.ts';

type Dependencies = Pick<WebhookDependencies, 'sequelize' | 'audit' | 'subscriptions' | 'secretCipher'>;

/**
 * Replaces the secret of a subscription. For 24 hours both secrets sign, so that the receiver can switch without a gap.
 */
export async function rotateSecret(
  { sequelize, audit, subscriptions, secretCipher }: Dependencies,
  id: number,
  secret = createSecret(),
): Promise<{ subscription: Subscription; secret: Buffer }> {
  const encrypted = await secretCipher.encrypt(secret, id);
  const subscription = await inTransaction(sequelize, async (transaction) => {
    const rotated = await subscriptions.rotateSecret(id, encrypted, transaction);
    if (!rotated) throw notFound();
    await auditWebhook(audit, 'secret_rotated', id, transaction);
    return rotated;
  });
  return { subscription, secret };
}
