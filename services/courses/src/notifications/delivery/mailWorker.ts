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

export interface WorkerDependencies extends PreparationDependencies {
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

/** How many messages are in memory, and on their way, at a time. */
export const maxConcurrent = 8;
// New messages wake the worker, except those that were delayed or that another process added.
const pollEveryMs = 2_000;
const postponeMs = 10_000;

/** Sends due messages. The stop waits for those on their way, which have a time limit. */
export function startMailWorker(dependencies: WorkerDependencies): Polling {
  const { schedule, queue, digestTime, perMinute, timeoutMs, log } = dependencies;
  return startPolling({
    async round() {
      const mayExamine = await schedule.examineDue();
      const next = nextDigest(digestTime, new Date());
      const mayDivert = await queue.divert(next);
      // A claim lasts longer than an attempt and the recording of its result.
      const limits = { total: maxConcurrent, perMinute, claimMs: 2 * timeoutMs + 3_000, nextDigest: next.time };
      const claimed = await queue.claim(limits);
      if (claimed.length > 0) await sendAll(dependencies, claimed);
      return mayExamine || mayDivert || claimed.length === maxConcurrent;
    },
    intervalMs: pollEveryMs,
    onFailure: (error) => log.warn({ err: error }, 'sending of mail failed; retrying'),
  });
}

async function sendAll(dependencies: WorkerDependencies, claimed: ClaimedMessage[]): Promise<void> {
  const { outcomes, log } = dependencies;
  let prepared: Prepared[];
  try {
    prepared = await prepareMessages(dependencies, claimed);
  } catch (error) {
    log.warn({ err: error }, 'could not prepare mail; retrying');
    for (const each of claimed) await outcomes.postpone(each, postponeMs);
    return;
  }
  await Promise.all(prepared.map((each) => finish(dependencies, each)));
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
  // The parts first: parts without their digest would be sent by no other message.
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
