import type { Clock } from '@gradeway/shared/http/timestamps';
import type { Delivery } from '../domain/delivery.ts';
import type { Subscription } from '../domain/subscription.ts';

const formatted = (time: Date | null, clock: Clock): string | null => time && clock.format(time);

/** A subscription without its secret, which only the responses to its creation and rotation contain. */
export function webhookView(subscription: Subscription, clock: Clock) {
  return {
    id: subscription.id,
    url: subscription.url,
    description: subscription.description,
    event_types: subscription.eventTypes,
    is_active: subscription.isActive,
    disabled_reason: subscription.disabledReason,
    failing_since: formatted(subscription.failingSince, clock),
    previous_secret_until: formatted(subscription.previousSecretUntil, clock),
    created_at: clock.format(subscription.createdAt),
  };
}

export function deliveryView(delivery: Delivery, clock: Clock) {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    next_attempt_at: formatted(delivery.nextAttemptAt, clock),
    created_at: clock.format(delivery.createdAt),
    delivered_at: formatted(delivery.deliveredAt, clock),
  };
}
