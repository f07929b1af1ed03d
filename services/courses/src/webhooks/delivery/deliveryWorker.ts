import type { Logger } from '@gradeway/shared/process/logger';
import { type Polling, startPolling } from '@gradeway/shared/process/polling';
import type { ClaimedDelivery, DeliveryRepository } from '../data/deliveryRepository.ts';
import type { SecretCipher } from '../data/secretCipher.ts';
import type { SubscriptionRepository } from '../data/subscriptionRepository.ts';
import { type Attempt, type AttemptEvaluation, evaluateAttempt } from '../domain/evaluateAttempt.ts';
import { signedHeaders } from '../domain/signature.ts';
import { startAttemptTimer } from './deliveryMetrics.ts';
import { postToReceiver } from './postToReceiver.ts';
import type { SsrfGuard } from './ssrfGuard.ts';

interface Dependencies {
  deliveries: DeliveryRepository;
  subscriptions: SubscriptionRepository;
  secretCipher: SecretCipher;
  ssrfGuard: SsrfGuard;
  log: Logger;
  /** Time limit of one attempt, in milliseconds. */
  timeoutMs: number;
  /** Delay after each failed attempt, in milliseconds. When all delays are used, there is no further attempt. */
  retrySchedule: number[];
}

const maxConcurrent = 32;
const maxPerSubscription = 4;
// A subscription is disabled after its receiver has failed for this long.
const disableAfterMs = 5 * 86_400_000;
const dueEveryMs = 1_000;
// New messages wake the worker. Only messages from a process that ended right after its commit wait this long.
const idleMs = 5_000;

/**
 * Delivers due messages when woken, and every second while any delivery is pending. After a stop, no more deliveries
 * are claimed; the stop waits for attempts in progress, which have a time limit.
 */
export function startDeliveryWorker(dependencies: Dependencies): Polling {
  const { deliveries, log, timeoutMs } = dependencies;
  const inProgress = new Set<Promise<void>>();
  let isIdle = false;
  // A claim lasts longer than an attempt and the recording of its result.
  const limits = { perSubscription: maxPerSubscription, claimMs: 2 * timeoutMs + 3_000 };

  const polling = startPolling({
    async round() {
      const total = maxConcurrent - inProgress.size;
      if (total === 0) return false;
      const claimed = await deliveries.claim({ total, ...limits });
      for (const delivery of claimed) {
        const attempt = deliver(dependencies, delivery)
          .catch((error) =>
            log.warn({ err: error, delivery_id: delivery.id }, 'webhook delivery failed; will retry'),
          )
          .finally(() => {
            inProgress.delete(attempt);
            polling.wake();
          });
        inProgress.add(attempt);
      }
      isIdle = claimed.length === 0 && !(await deliveries.hasPending());
      return false;
    },
    intervalMs: () => (isIdle ? idleMs : dueEveryMs),
    onFailure: (error) => log.warn({ err: error }, 'webhook polling failed; retrying'),
  });
  return {
    wake: polling.wake,
    async stop() {
      await polling.stop();
      await Promise.allSettled(inProgress);
    },
  };
}

/**
 * Makes one attempt and records its result. After a crash in between, the claim expires and the attempt is repeated.
 */
async function deliver(dependencies: Dependencies, delivery: ClaimedDelivery): Promise<void> {
  const recordAttempt = startAttemptTimer();
  const attempt = await attemptDelivery(dependencies, delivery);
  const evaluation = evaluateAttempt(attempt, delivery.attempts + 1, dependencies.retrySchedule);
  recordAttempt(evaluation.outcome);
  // Updates the subscription first, so that a client that sees the settled delivery also sees its effect on the
  // subscription.
  await updateReceiverHealth(dependencies, delivery, evaluation);
  await dependencies.deliveries.settle(delivery, evaluation);
}

async function attemptDelivery(
  { secretCipher, ssrfGuard, timeoutMs, log }: Dependencies,
  delivery: ClaimedDelivery,
): Promise<Attempt> {
  const { subscriptionId, url, eventId, body, secret, previousSecret } = delivery;
  const encrypted = previousSecret ? [secret, previousSecret] : [secret];
  let secrets: Buffer[];
  try {
    secrets = await Promise.all(encrypted.map((each) => secretCipher.decrypt(each, subscriptionId)));
  } catch (error) {
    log.error(
      { err: error, webhook_id: subscriptionId },
      'cannot decrypt the secret of a webhook with WEBHOOK_ENCRYPTION_SECRET',
    );
    return { error: 'secret_unreadable' };
  }
  const headers = signedHeaders({ id: eventId, body, sentAt: new Date() }, secrets);
  return postToReceiver({ url, headers, body, ssrfGuard, timeoutMs });
}

async function updateReceiverHealth(
  { subscriptions, log }: Dependencies,
  { subscriptionId: id, url }: ClaimedDelivery,
  { outcome, lastError, gone, pauseMs }: AttemptEvaluation,
): Promise<void> {
  if (outcome === 'delivered') return subscriptions.recordSuccess(id, url);
  // A configuration error on our side does not count against the receiver.
  if (lastError === 'secret_unreadable') return;
  const reason = await subscriptions.recordFailure({ id, url, gone, pauseMs }, disableAfterMs);
  if (reason) log.warn({ webhook_id: id, reason }, 'webhook disabled');
}
