import { randomUUID } from 'node:crypto';
import { AppError, notFound } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';
import type { Delivery } from './delivery.ts';
import { messageOf } from './message.ts';
import { testType } from './subscription.ts';

const mostInOneStatement = 1_000;
const mostAtOnce = 10_000;

type Dependencies = Pick<WebhookDependencies, 'subscriptions' | 'deliveries' | 'wakeWorker'>;

/** Sends one delivery again, whatever became of it, from its first attempt. */
export async function replayDelivery(
  dependencies: Dependencies,
  subscriptionId: number,
  deliveryId: number,
): Promise<void> {
  await requireActive(dependencies, subscriptionId);
  if (!(await dependencies.deliveries.replay(subscriptionId, deliveryId))) throw notFound();
  dependencies.wakeWorker();
}

/** Sends those again that failed and were noted since a time, 10,000 at most. Returns how many. */
export async function replayFailed(
  dependencies: Dependencies,
  subscriptionId: number,
  since: Date,
): Promise<number> {
  await requireActive(dependencies, subscriptionId);
  let replayed = 0;
  while (replayed < mostAtOnce) {
    const some = await dependencies.deliveries.replayFailed(subscriptionId, since, mostInOneStatement);
    replayed += some;
    if (some < mostInOneStatement) break;
  }
  dependencies.wakeWorker();
  return replayed;
}

/** Sends a message that tells of nothing, to see whether it arrives. */
export async function sendTest(dependencies: Dependencies, subscriptionId: number): Promise<Delivery> {
  await requireActive(dependencies, subscriptionId);
  const time = new Date().toISOString();
  const data = { webhook_id: subscriptionId };
  const message = messageOf({ id: randomUUID(), type: testType, time, data });
  const delivery = await dependencies.deliveries.add(subscriptionId, message);
  dependencies.wakeWorker();
  return delivery;
}

async function requireActive({ subscriptions }: Dependencies, id: number): Promise<void> {
  const subscription = await subscriptions.find(id);
  if (!subscription) throw notFound();
  if (!subscription.isActive) throw new AppError('conflict', 'The webhook is not active.');
}
