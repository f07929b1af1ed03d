import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import { auditWebhook } from './auditWebhook.ts';
import { requireActive } from './requireActive.ts';

const rowsPerStatement = 1_000;
const maxReplayed = 10_000;

/** Sends a delivery again, regardless of its status, with a full set of attempts. */
export async function replayDelivery(
  { sequelize, audit, subscriptions, deliveries, wakeWorker }: WebhookDependencies,
  subscriptionId: number,
  deliveryId: number,
): Promise<void> {
  await requireActive({ subscriptions }, subscriptionId);
  await inTransaction(sequelize, async (transaction) => {
    if (!(await deliveries.replay(subscriptionId, deliveryId, transaction))) throw notFound();
    await auditWebhook(audit, 'replayed', subscriptionId, transaction);
  });
  wakeWorker();
}

/** Resends at most 10,000 failed deliveries that were created at or after `since`. Returns their number. */
export async function replayFailedDeliveries(
  { sequelize, audit, subscriptions, deliveries, wakeWorker }: WebhookDependencies,
  subscriptionId: number,
  since: Date,
): Promise<number> {
  await requireActive({ subscriptions }, subscriptionId);
  let replayed = 0;
  while (replayed < maxReplayed) {
    const isFirst = replayed === 0;
    const count = await inTransaction(sequelize, async (transaction) => {
      if (isFirst) await auditWebhook(audit, 'replayed', subscriptionId, transaction);
      return deliveries.replayFailed(subscriptionId, since, rowsPerStatement, transaction);
    });
    replayed += count;
    if (count < rowsPerStatement) break;
  }
  wakeWorker();
  return replayed;
}
