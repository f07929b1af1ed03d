import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import { auditWebhook } from './auditWebhook.ts';
import { createSecret } from './signature.ts';
import type { Subscription, SubscriptionProperties } from './subscription.ts';

type Dependencies = Pick<
  WebhookDependencies,
  'sequelize' | 'audit' | 'subscriptions' | 'secretCipher' | 'ssrfGuard'
>;

interface Created {
  subscription: Subscription;
  /** Shown only in the response to the creation. */
  secret: Buffer;
}

/** Creates a subscription, and generates its secret unless the receiver already has one. */
export async function createSubscription(
  { sequelize, audit, subscriptions, secretCipher, ssrfGuard }: Dependencies,
  properties: SubscriptionProperties,
  secret = createSecret(),
): Promise<Created> {
  const violation = await ssrfGuard.findReceiverViolation(properties.url);
  if (violation) throw invalid({ url: [violation] });
  const id = await subscriptions.nextId();
  const encrypted = await secretCipher.encrypt(secret, id);
  const subscription = await inTransaction(sequelize, async (transaction) => {
    const created = await subscriptions.create(id, properties, encrypted, transaction);
    await auditWebhook(audit, 'created', id, transaction, [null, created]);
    return created;
  });
  return { subscription, secret };
}
