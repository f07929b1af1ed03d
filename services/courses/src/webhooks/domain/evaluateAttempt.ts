import type { DeliveryError } from './delivery.ts';
import { delayAfter } from './retrySchedule.ts';

/** The result of one attempt: the receiver's response, or why there was none. */
export type Attempt = { status: number; retryAfterMs: number } | { error: DeliveryError };

/** The consequences of an attempt for its delivery and its subscription. */
export interface AttemptEvaluation {
  outcome: 'delivered' | 'failed' | 'again';
  lastStatus: number | null;
  lastError: DeliveryError | null;
  /** Delay until the next attempt in milliseconds, for `again`. */
  delayMs: number | null;
  /** The receiver no longer wants messages (410 Gone). */
  gone: boolean;
  /** How long to send the receiver no messages at all, in milliseconds. */
  pauseMs: number;
}

/**
 * Evaluates an attempt by the rules of Standard Webhooks 1.0: 2xx is a success and everything else a failure, including
 * redirects. 410 ends the subscription. `Retry-After` applies to this delivery and to all others of the receiver.
 */
export function evaluateAttempt(attempt: Attempt, attempts: number, schedule: number[]): AttemptEvaluation {
  const hasResponse = 'status' in attempt;
  const lastStatus = hasResponse ? attempt.status : null;
  const base = { lastStatus, lastError: null, delayMs: null, gone: false, pauseMs: 0 };
  if (hasResponse && attempt.status >= 200 && attempt.status < 300) return { ...base, outcome: 'delivered' };
  const lastError = hasResponse ? 'http_status' : attempt.error;
  const pauseMs = hasResponse && throttlingStatuses.has(attempt.status) ? attempt.retryAfterMs : 0;
  const delayMs = delayAfter(attempts, schedule);
  if (lastStatus === 410) return { ...base, lastError, outcome: 'failed', gone: true };
  if (delayMs === undefined) return { ...base, lastError, outcome: 'failed', pauseMs };
  return { ...base, lastError, outcome: 'again', delayMs: Math.max(delayMs, pauseMs), pauseMs };
}

const throttlingStatuses = new Set([429, 503]);
