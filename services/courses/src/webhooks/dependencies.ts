import type { Sequelize } from 'sequelize';
import type { DeliveryRepository } from './data/deliveryRepository.ts';
import type { SubscriptionRepository } from './data/subscriptionRepository.ts';
import type { SecretRing } from './sending/secretRing.ts';
import type { SsrfGuard } from './sending/ssrfGuard.ts';

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
