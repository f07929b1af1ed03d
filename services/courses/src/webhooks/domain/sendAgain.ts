import { randomUUID } from 'node:crypto';
import { AppError, notFound } from '@gradeway/shared/appError';
import type { WebhookParts } from '../parts.ts';
import type { Delivery } from './delivery.ts';
import { messageOf } from './message.ts';
import { testType } from './subscription.ts';

const mostInOneStatement = 1_000;
const mostAtOnce = 10_000;

type Parts = Pick<WebhookParts, 'subscriptions' | 'deliveries' | 'wakeWorker'>;

/** Sends one delivery again, whatever became of it, from its first attempt. */
export async function replayDelivery(
  parts: Parts,
  subscriptionId: number,
  deliveryId: number,
): Promise<void> {
  await requireActive(parts, subscriptionId);
  if (!(await parts.deliveries.replay(subscriptionId, deliveryId))) throw notFound();
  parts.wakeWorker();
}

/** Sends those again that failed and were noted since a time, 10,000 at most. Returns how many. */
export async function replayFailed(parts: Parts, subscriptionId: number, since: Date): Promise<number> {
  await requireActive(parts, subscriptionId);
  let replayed = 0;
  while (replayed < mostAtOnce) {
    const some = await parts.deliveries.replayFailed(subscriptionId, since, mostInOneStatement);
    replayed += some;
    if (some < mostInOneStatement) break;
  }
  parts.wakeWorker();
  return replayed;
}

/** Sends a message that tells of nothing, to see whether it arrives. */
export async function sendTest(parts: Parts, subscriptionId: number): Promise<Delivery> {
  await requireActive(parts, subscriptionId);
  const time = new Date().toISOString();
  const data = { webhook_id: subscriptionId };
  const message = messageOf({ id: randomUUID(), type: testType, time, data });
  const delivery = await parts.deliveries.add(subscriptionId, message);
  parts.wakeWorker();
  return delivery;
}

async function requireActive({ subscriptions }: Parts, id: number): Promise<void> {
  const subscription = await subscriptions.find(id);
  if (!subscription) throw notFound();
  if (!subscription.isActive) throw new AppError('conflict', 'The webhook is not active.');
}
