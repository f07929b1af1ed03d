import type { DeliveryError } from './delivery.ts';
import { delayAfter } from './retrySchedule.ts';

/** What became of one attempt: the receiver's answer, or why there was none. */
export type Attempt = { status: number; retryAfterMs: number } | { error: DeliveryError };

/** What follows from it for the delivery and for the subscription. */
export interface Verdict {
  outcome: 'delivered' | 'failed' | 'again';
  lastStatus: number | null;
  lastError: DeliveryError | null;
  /** Of `again`: when, in milliseconds from now. */
  delayMs: number | null;
  /** The receiver wants no more of anything (410 Gone). */
  gone: boolean;
  /** How long the receiver wants to be left alone altogether, in milliseconds. */
  pauseMs: number;
}

/**
 * Judges an attempt as Standard Webhooks 1.0 has it: 2xx is success and everything else a failure, redirects too;
 * 410 ends the subscription; `Retry-After` is kept to, for this delivery and for all others to the same receiver.
 */
export function evaluateAttempt(attempt: Attempt, attempts: number, schedule: number[]): Verdict {
  const answered = 'status' in attempt;
  const lastStatus = answered ? attempt.status : null;
  const verdict = { lastStatus, lastError: null, delayMs: null, gone: false, pauseMs: 0 };
  if (answered && attempt.status >= 200 && attempt.status < 300) return { ...verdict, outcome: 'delivered' };
  const lastError = answered ? 'http_status' : attempt.error;
  const pauseMs = answered && throttles.has(attempt.status) ? attempt.retryAfterMs : 0;
  const delayMs = delayAfter(attempts, schedule);
  if (lastStatus === 410) return { ...verdict, lastError, outcome: 'failed', gone: true };
  if (delayMs === undefined) return { ...verdict, lastError, outcome: 'failed', pauseMs };
  return { ...verdict, lastError, outcome: 'again', delayMs: Math.max(delayMs, pauseMs), pauseMs };
}

const throttles = new Set([429, 503]);
