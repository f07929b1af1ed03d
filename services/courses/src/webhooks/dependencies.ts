import type { Sequelize } from 'sequelize';
import type { DeliveryRepository } from './data/deliveryRepository.ts';
import type { SecretRing } from './data/secretCipher.ts';
import type { SubscriptionRepository } from './data/subscriptionRepository.ts';
import type { SsrfGuard } from './delivery/ssrfGuard.ts';

/** What webhooks work with. */
export interface WebhookDependencies {
  sequelize: Sequelize;
  subscriptions: SubscriptionRepository;
  deliveries: DeliveryRepository;
  secrets: SecretRing;
  rule: SsrfGuard;
  /** There is something to deliver. */
  wakeWorker(): void;
}
