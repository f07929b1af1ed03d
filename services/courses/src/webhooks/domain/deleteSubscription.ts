import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import { auditWebhook } from './auditWebhook.ts';

/** Deletes a subscription with its secrets. Its pending deliveries are not sent. */
export function deleteSubscription(
  { sequelize, audit, subscriptions }: Pick<WebhookDependencies, 'sequelize' | 'audit' | 'subscriptions'>,
  id: number,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await subscriptions.lock(id, transaction);
    if (!before || !(await subscriptions.delete(id, transaction))) throw notFound();
    await auditWebhook(audit, 'deleted', id, transaction, [before, null]);
  });
}
