import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import type { Sequelize } from 'sequelize';
import type { DeliveryRepository } from './data/deliveryRepository.ts';
import type { SecretCipher } from './data/secretCipher.ts';
import type { SubscriptionRepository } from './data/subscriptionRepository.ts';
import type { SsrfGuard } from './delivery/ssrfGuard.ts';

export interface WebhookDependencies {
  sequelize: Sequelize;
  audit: AuditTrail;
  subscriptions: SubscriptionRepository;
  deliveries: DeliveryRepository;
  secretCipher: SecretCipher;
  ssrfGuard: SsrfGuard;
  /** Makes the delivery worker poll immediately. */
  wakeWorker(): void;
}
