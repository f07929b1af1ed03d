import { randomUUID } from 'node:crypto';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { WebhookDependencies } from '../dependencies.ts';
import { auditWebhook } from './auditWebhook.ts';
import type { Delivery } from './delivery.ts';
import { createMessage } from './message.ts';
import { requireActive } from './requireActive.ts';
import { testType } from './subscription.ts';

/** Sends a test message, so that an administrator can check whether it arrives. */
export async function sendTestMessage(
  { sequelize, audit, subscriptions, deliveries, wakeWorker }: WebhookDependencies,
  subscriptionId: number,
): Promise<Delivery> {
  await requireActive({ subscriptions }, subscriptionId);
  const time = new Date().toISOString();
  const data = { webhook_id: subscriptionId };
  const message = createMessage({ id: randomUUID(), type: testType, time, data });
  const delivery = await inTransaction(sequelize, async (transaction) => {
    await auditWebhook(audit, 'tested', subscriptionId, transaction);
    return deliveries.add(subscriptionId, message, transaction);
  });
  wakeWorker();
  return delivery;
}
