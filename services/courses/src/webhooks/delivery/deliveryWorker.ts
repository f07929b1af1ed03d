import type { Logger } from '@gradeway/shared/process/logger';
import { type Polling, startPolling } from '@gradeway/shared/process/polling';
import type { ClaimedDelivery, DeliveryRepository } from '../data/deliveryRepository.ts';
import type { SecretRing } from '../data/secretCipher.ts';
import type { SubscriptionRepository } from '../data/subscriptionRepository.ts';
import { type Attempt, evaluateAttempt, type Verdict } from '../domain/evaluateAttempt.ts';
import { signedHeaders } from '../domain/signature.ts';
import { startAttempt } from './deliveryMetrics.ts';
import { postToReceiver } from './postToReceiver.ts';
import type { SsrfGuard } from './ssrfGuard.ts';

interface Dependencies {
  deliveries: DeliveryRepository;
  subscriptions: SubscriptionRepository;
  secrets: SecretRing;
  rule: SsrfGuard;
  log: Logger;
  /** The longest that one attempt may take, in milliseconds. */
  timeoutMs: number;
  /** How long to wait after each failed attempt, in milliseconds; after the last there is no other. */
  retrySchedule: number[];
  /** A receiver that has answered nothing but failures for so long is given up, in milliseconds. */
  disableAfterMs: number;
}

const mostAtOnce = 32;
const mostPerSubscription = 4;

/**
 * Delivers what is due: when woken, and every second in any case. Stopping it takes no more deliveries and waits for
 * those under way, which have their time limit.
 */
export function startDeliveryWorker(dependencies: Dependencies): Polling {
  const { deliveries, log, timeoutMs } = dependencies;
  const underWay = new Set<Promise<void>>();
  // Longer than an attempt and the note of what became of it can take.
  const limits = { perSubscription: mostPerSubscription, claimMs: 2 * timeoutMs + 3_000 };

  const polling = startPolling({
    async round() {
      const total = mostAtOnce - underWay.size;
      if (total === 0) return false;
      const claimed = await deliveries.claim({ total, ...limits });
      for (const delivery of claimed) {
        const attempt = deliver(dependencies, delivery)
          .catch((error) =>
            log.warn({ err: error, delivery_id: delivery.id }, 'a delivery is repeated later'),
          )
          .finally(() => {
            underWay.delete(attempt);
            polling.wake();
          });
        underWay.add(attempt);
      }
      return false;
    },
    onFailure: (error) => log.warn({ err: error }, 'webhooks wait'),
  });
  return {
    wake: polling.wake,
    async stop() {
      await polling.stop();
      await Promise.allSettled(underWay);
    },
  };
}

/** One attempt, from the secret to the note of what became of it. A crash on the way leaves the claim to run out. */
async function deliver(dependencies: Dependencies, delivery: ClaimedDelivery): Promise<void> {
  const attempted = startAttempt();
  const attempt = await attemptOf(dependencies, delivery);
  const verdict = evaluateAttempt(attempt, delivery.attempts + 1, dependencies.retrySchedule);
  attempted(verdict.outcome);
  // The receiver first: who sees what became of the delivery finds the subscription as it follows from that.
  await recordReceiver(dependencies, delivery, verdict);
  await dependencies.deliveries.settle(delivery, verdict);
}

async function attemptOf(
  { secrets, rule, timeoutMs, log }: Dependencies,
  delivery: ClaimedDelivery,
): Promise<Attempt> {
  const { subscriptionId, url, eventId, body, secret, previousSecret } = delivery;
  const sealed = previousSecret ? [secret, previousSecret] : [secret];
  let keys: Buffer[];
  try {
    keys = await Promise.all(sealed.map((each) => secrets.open(each, subscriptionId)));
  } catch (error) {
    log.error(
      { err: error, webhook_id: subscriptionId },
      'WEBHOOK_ENCRYPTION_SECRET opens no secret of a webhook',
    );
    return { error: 'secret_unreadable' };
  }
  const headers = signedHeaders({ id: eventId, body, sentAt: new Date() }, keys);
  return postToReceiver({ url, headers, body, rule, timeoutMs });
}

async function recordReceiver(
  { subscriptions, disableAfterMs, log }: Dependencies,
  { subscriptionId: id, url }: ClaimedDelivery,
  { outcome, lastError, gone, pauseMs }: Verdict,
): Promise<void> {
  if (outcome === 'delivered') return subscriptions.recordSuccess(id, url);
  // Our own fault says nothing about the receiver.
  if (lastError === 'secret_unreadable') return;
  const reason = await subscriptions.recordFailure({ id, url, gone, pauseMs }, disableAfterMs);
  if (reason) log.warn({ webhook_id: id, reason }, 'webhook switched off');
}
