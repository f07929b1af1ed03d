import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid, notFound } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import type { Subscription, SubscriptionProperties } from './subscription.ts';

/**
 * Changes what is given of a subscription. Switched on again it goes on with what has waited; it was told nothing
 * meanwhile.
 */
export async function changeSubscription(
  { sequelize, subscriptions, rule, wakeWorker }: WebhookDependencies,
  id: number,
  changes: Partial<SubscriptionProperties>,
): Promise<Subscription> {
  if (!(await subscriptions.find(id))) throw notFound();
  const complaint = changes.url && (await rule.complaintAboutReceiver(changes.url));
  if (complaint) throw invalid({ url: [complaint] });
  const changed = await inTransaction(sequelize, async (transaction) => {
    const before = await subscriptions.lock(id, transaction);
    if (!before) throw notFound();
    return subscriptions.update(id, { ...before, ...changes }, transaction);
  });
  wakeWorker();
  return changed;
}
