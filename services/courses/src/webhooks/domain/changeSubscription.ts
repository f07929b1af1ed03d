import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid, notFound } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import { auditWebhook } from './auditWebhook.ts';
import type { Subscription, SubscriptionProperties } from './subscription.ts';

/**
 * Changes the given properties of a subscription. After reactivation its pending deliveries resume. Events that
 * occurred while it was inactive are not delivered.
 */
export async function changeSubscription(
  { sequelize, audit, subscriptions, ssrfGuard, wakeWorker }: WebhookDependencies,
  id: number,
  changes: Partial<SubscriptionProperties>,
): Promise<Subscription> {
  if (!(await subscriptions.find(id))) throw notFound();
  const violation = changes.url && (await ssrfGuard.findReceiverViolation(changes.url));
  if (violation) throw invalid({ url: [violation] });
  const changed = await inTransaction(sequelize, async (transaction) => {
    const before = await subscriptions.lock(id, transaction);
    if (!before) throw notFound();
    const after = await subscriptions.update(id, { ...before, ...changes }, transaction);
    await auditWebhook(audit, 'updated', id, transaction, [before, after]);
    return after;
  });
  wakeWorker();
  return changed;
}
