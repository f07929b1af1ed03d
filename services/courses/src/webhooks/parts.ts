import type { Sequelize } from 'sequelize';
import type { DeliveryRepository } from './data/deliveryRepository.ts';
import type { SubscriptionRepository } from './data/subscriptionRepository.ts';
import type { ReceiverRule } from './sending/receiverRule.ts';
import type { SecretRing } from './sending/secretRing.ts';

/** What webhooks work with. */
export interface WebhookParts {
  sequelize: Sequelize;
  subscriptions: SubscriptionRepository;
  deliveries: DeliveryRepository;
  secrets: SecretRing;
  rule: ReceiverRule;
  /** There is something to deliver. */
  wakeWorker(): void;
}
