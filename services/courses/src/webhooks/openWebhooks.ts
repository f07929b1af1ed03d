import type { ConfigOf } from '@gradeway/shared/config/readConfig';
import type { Broker } from '@gradeway/shared/events/broker';
import { consumeIdempotently } from '@gradeway/shared/events/consumeEvents';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import type { Sequelize } from 'sequelize';
import { DeliveryRepository } from './data/deliveryRepository.ts';
import { tidyWebhooks } from './data/purgeExpired.ts';
import { SubscriptionRepository } from './data/subscriptionRepository.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { messageOf } from './domain/message.ts';
import { measureWebhooks } from './sending/deliveryMetrics.ts';
import { startDeliveryWorker } from './sending/deliveryWorker.ts';
import { SecretRing } from './sending/secretRing.ts';
import { SsrfGuard } from './sending/ssrfGuard.ts';
import type { webhookSettings } from './settings.ts';

const tidyEveryMs = 600_000;

/**
 * Begins to note events for subscribers and to deliver them. Noting and delivering know each other by the table
 * alone: a receiver that is slow or away keeps no event at the broker, and a crash loses nothing.
 */
export async function openWebhooks(
  { config, log, onStop }: ProcessContext<ConfigOf<typeof webhookSettings>>,
  sequelize: Sequelize,
  broker: Broker,
): Promise<WebhookDependencies> {
  const deliveries = new DeliveryRepository(sequelize);
  const subscriptions = new SubscriptionRepository(sequelize);
  const secrets = new SecretRing(config.webhookEncryptionSecret);
  const rule = new SsrfGuard({
    allowHttp: config.webhookAllowHttp,
    allowPrivateAddresses: config.webhookAllowPrivateAddresses,
  });

  const worker = startDeliveryWorker({
    ...{ deliveries, subscriptions, secrets, rule, log },
    timeoutMs: config.webhookTimeout,
    retrySchedule: config.webhookRetrySchedule,
    disableAfterMs: config.webhookDisableAfter,
  });
  onStop('the webhooks', () => worker.stop());
  onStop('measuring the webhooks', measureWebhooks(sequelize));

  const stopConsuming = await consumeIdempotently({
    ...{ consumer: 'courses-webhooks', broker, log },
    async apply(event) {
      if ((await deliveries.addForSubscribers(messageOf(event))) > 0) worker.wake();
    },
  });
  onStop('the event consumer of the webhooks', stopConsuming);

  const tidy = setInterval(() => {
    tidyWebhooks(sequelize, config.webhookRetention).catch((error) =>
      log.warn({ err: error }, 'could not tidy the webhooks'),
    );
  }, tidyEveryMs);
  onStop('the tidying of the webhooks', () => clearInterval(tidy));

  return { sequelize, subscriptions, deliveries, secrets, rule, wakeWorker: worker.wake };
}
