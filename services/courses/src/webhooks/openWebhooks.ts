import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Broker } from '@gradeway/shared/events/broker';
import { consumeIdempotently } from '@gradeway/shared/events/consumeEvents';
import { withoutErasedPeople } from '@gradeway/shared/personalData/erasedPeople';
import { runEvery } from '@gradeway/shared/process/runEvery';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import type { Sequelize } from 'sequelize';
import type { webhookSettings } from './config.ts';
import { DeliveryRepository } from './data/deliveryRepository.ts';
import { purgeExpired } from './data/purgeExpired.ts';
import { SecretCipher } from './data/secretCipher.ts';
import { SubscriptionRepository } from './data/subscriptionRepository.ts';
import { measureDeliveries } from './delivery/deliveryMetrics.ts';
import { startDeliveryWorker } from './delivery/deliveryWorker.ts';
import { SsrfGuard } from './delivery/ssrfGuard.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { createMessage } from './domain/message.ts';

const purgeEveryMs = 600_000;

interface Shared {
  sequelize: Sequelize;
  broker: Broker;
  audit: AuditTrail;
}

/**
 * Sets up the webhooks: turns events into deliveries, and delivers them. The two sides share only the table, so a slow
 * or unreachable receiver blocks no event at the broker, and a crash loses nothing.
 */
export async function openWebhooks(
  { config, log, onStop }: ProcessContext<ConfigOf<typeof webhookSettings>>,
  { sequelize, broker, audit }: Shared,
): Promise<WebhookDependencies> {
  const deliveries = new DeliveryRepository(sequelize);
  const subscriptions = new SubscriptionRepository(sequelize);
  const secretCipher = new SecretCipher(
    config.webhookEncryptionSecret,
    config.webhookEncryptionSecretSecondary,
  );
  const ssrfGuard = new SsrfGuard({
    allowHttp: config.webhookAllowHttp,
    allowPrivateAddresses: config.webhookAllowPrivateAddresses,
  });

  const worker = startDeliveryWorker({
    deliveries,
    subscriptions,
    secretCipher,
    ssrfGuard,
    log,
    timeoutMs: config.webhookTimeout,
    retrySchedule: config.webhookRetrySchedule,
  });
  onStop('the webhook worker', () => worker.stop());
  onStop('the webhook metrics', measureDeliveries(sequelize));

  const stopConsuming = await consumeIdempotently({
    consumer: 'courses-webhooks',
    broker,
    log,
    async applyAll(events) {
      const added = await inTransaction(sequelize, async (transaction) => {
        const messages = (await withoutErasedPeople(sequelize, events, transaction)).map(createMessage);
        return deliveries.addForSubscribers(messages, transaction);
      });
      if (added > 0) worker.wake();
    },
  });
  onStop('the event consumer of the webhooks', stopConsuming);

  onStop(
    'the purge of webhook deliveries',
    runEvery({
      everyMs: purgeEveryMs,
      task: (signal) => purgeExpired(sequelize, config.webhookRetention, signal),
      log,
      failureMessage: 'could not purge expired webhook deliveries',
    }),
  );

  return { sequelize, audit, subscriptions, deliveries, secretCipher, ssrfGuard, wakeWorker: worker.wake };
}
