import { notFound } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import { requireActive } from './requireActive.ts';

const rowsPerStatement = 1_000;
const maxReplayed = 10_000;

/** Sends one delivery again, whatever its status, with all of its attempts. */
export async function replayDelivery(
  { subscriptions, deliveries, wakeWorker }: WebhookDependencies,
  subscriptionId: number,
  deliveryId: number,
): Promise<void> {
  await requireActive({ subscriptions }, subscriptionId);
  if (!(await deliveries.replay(subscriptionId, deliveryId))) throw notFound();
  wakeWorker();
}

/** Sends again at most 10,000 failed deliveries that were created at or after `since`. Returns their number. */
export async function replayFailedDeliveries(
  { subscriptions, deliveries, wakeWorker }: WebhookDependencies,
  subscriptionId: number,
  since: Date,
): Promise<number> {
  await requireActive({ subscriptions }, subscriptionId);
  let replayed = 0;
  while (replayed < maxReplayed) {
    const count = await deliveries.replayFailed(subscriptionId, since, rowsPerStatement);
    replayed += count;
    if (count < rowsPerStatement) break;
  }
  wakeWorker();
  return replayed;
}
