import { AppError, notFound } from '@gradeway/shared/errors/appError';
import type { WebhookDependencies } from '../dependencies.ts';

/** @throws AppError `not_found`, or `conflict` when the subscription is inactive */
export async function requireActive(
  { subscriptions }: Pick<WebhookDependencies, 'subscriptions'>,
  id: number,
): Promise<void> {
  const subscription = await subscriptions.find(id);
  if (!subscription) throw notFound();
  if (!subscription.isActive)
    throw new AppError('conflict', 'The webhook is not active.', { reason: 'webhook_inactive' });
}
