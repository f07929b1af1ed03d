import { randomUUID } from 'node:crypto';
import type { WebhookDependencies } from '../dependencies.ts';
import type { Delivery } from './delivery.ts';
import { createMessage } from './message.ts';
import { requireActive } from './requireActive.ts';
import { testType } from './subscription.ts';

/** Sends a test message, so that an administrator can check whether it arrives. */
export async function sendTestMessage(
  { subscriptions, deliveries, wakeWorker }: WebhookDependencies,
  subscriptionId: number,
): Promise<Delivery> {
  await requireActive({ subscriptions }, subscriptionId);
  const time = new Date().toISOString();
  const data = { webhook_id: subscriptionId };
  const message = createMessage({ id: randomUUID(), type: testType, time, data });
  const delivery = await deliveries.add(subscriptionId, message);
  wakeWorker();
  return delivery;
}
