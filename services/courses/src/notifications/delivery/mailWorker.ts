import type { MailTransport } from '@gradeway/shared/mail/mailTransport';
import type { Logger } from '@gradeway/shared/process/logger';
import { type Polling, startPolling } from '@gradeway/shared/process/polling';
import type { OutcomeRepository } from '../data/outcomeRepository.ts';
import type { ClaimedMessage, QueueRepository } from '../data/queueRepository.ts';
import type { ScheduleRepository } from '../data/scheduleRepository.ts';
import { type DigestTime, nextDigest } from '../domain/nextDigest.ts';
import { type RetryPolicy, retryDelay } from '../domain/retryDelay.ts';
import { countMail, type MailResult } from './mailMetrics.ts';
import { type PreparationDependencies, type Prepared, prepareMessages } from './prepareMessages.ts';

interface WorkerDependencies extends PreparationDependencies {
  schedule: ScheduleRepository;
  queue: QueueRepository;
  outcomes: OutcomeRepository;
  transport: MailTransport;
  digestTime: DigestTime;
  retryPolicy: RetryPolicy;
  perMinute: number;
  /** Time limit for one message, in milliseconds. */
  timeoutMs: number;
  log: Logger;
}

/** How many messages are in memory and being sent at a time. */
export const maxConcurrent = 8;
// New messages wake the worker, unless they were delayed or added by another process.
const pollEveryMs = 2_000;
const postponeMs = 10_000;

/**
 * Sends due messages. A slow message does not delay the others. Stopping waits for messages that are being sent, which
 * have a time limit.
 */
export function startMailWorker(dependencies: WorkerDependencies): Polling {
  const { schedule, queue, digestTime, perMinute, timeoutMs, log } = dependencies;
  const inProgress = new Set<Promise<void>>();
  // A claim lasts longer than an attempt and the recording of its result.
  const limits = { perMinute, claimMs: 2 * timeoutMs + 3_000 };

  const polling = startPolling({
    async round() {
      const mayExamine = await schedule.examineDue();
      const total = maxConcurrent - inProgress.size;
      const { time } = nextDigest(digestTime, new Date());
      const claimed = total > 0 ? await queue.claim({ ...limits, total, nextDigest: time }) : [];
      for (const prepared of await prepareOrPostpone(dependencies, claimed)) track(prepared);
      return mayExamine || (total > 0 && claimed.length === total);
    },
    intervalMs: pollEveryMs,
    onFailure: (error) => log.warn({ err: error }, 'sending of mail failed; retrying'),
  });

  // In a loop of its own: it reads every due message, of which thousands may be waiting for the limit per minute, and the loop above
  // runs after each message that is sent.
  const diverting = startPolling({
    round: () => queue.divert(nextDigest(digestTime, new Date())),
    intervalMs: pollEveryMs,
    onFailure: (error) => log.warn({ err: error }, 'diverting of mail failed; retrying'),
  });

  function track(prepared: Prepared): void {
    const attempt = finish(dependencies, prepared)
      .catch((error) => log.warn({ err: error, mail_id: prepared.claimed.id }, 'mail failed; will retry'))
      .finally(() => {
        inProgress.delete(attempt);
        polling.wake();
      });
    inProgress.add(attempt);
  }

  return {
    wake: polling.wake,
    async stop() {
      await Promise.all([polling.stop(), diverting.stop()]);
      await Promise.allSettled(inProgress);
    },
  };
}

async function prepareOrPostpone(
  dependencies: WorkerDependencies,
  claimed: ClaimedMessage[],
): Promise<Prepared[]> {
  if (claimed.length === 0) return [];
  try {
    return await prepareMessages(dependencies, claimed);
  } catch (error) {
    dependencies.log.warn({ err: error }, 'could not prepare mail; retrying');
    for (const each of claimed) await dependencies.outcomes.postpone(each, postponeMs);
    return [];
  }
}

/** After a crash in between, the claim expires and the message is sent again with the same Message-ID. */
async function finish(dependencies: WorkerDependencies, prepared: Prepared): Promise<void> {
  const { outcomes } = dependencies;
  const { claimed, outcome } = prepared;
  if (outcome === 'postpone') return outcomes.postpone(claimed, postponeMs);
  await outcomes.releaseMembers(prepared.earlyIds);
  const result = outcome === 'drop' ? 'dropped' : await send(dependencies, prepared);
  countMail(claimed.kind, result);
  if (result === 'again') return;
  // Records the parts first, because a part whose digest is gone would never be sent.
  if (claimed.kind === 'digest') await outcomes.settleMembers(claimed.id, result, prepared.overIds);
  if (result === 'dropped') await outcomes.drop(claimed);
  else await outcomes.settle(claimed, result);
}

async function send(
  { transport, outcomes, retryPolicy, timeoutMs, log }: WorkerDependencies,
  { claimed, message }: Prepared,
): Promise<MailResult> {
  try {
    await transport.sendMail({ ...message, signal: AbortSignal.timeout(timeoutMs) });
    return 'sent';
  } catch (error) {
    // The error's text contains the address.
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    const fields = { mail_id: claimed.id, kind: claimed.kind, code, response: responseCode };
    const attempts = claimed.attempts + 1;
    const delayMs = retryDelay(retryPolicy, attempts, claimed.waitedMs);
    if (delayMs === undefined) {
      log.error({ ...fields, attempts }, 'mail given up');
      return 'failed';
    }
    log.warn({ ...fields, attempts }, 'mail not accepted; will retry');
    await outcomes.retry(claimed, delayMs, (responseCode ?? 0) >= 500);
    return 'again';
  }
}
