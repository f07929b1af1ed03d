import { GradewayError } from './gradewayError.ts';

const idempotentMethods = ['GET', 'HEAD', 'PUT', 'DELETE'];
const temporaryStatuses = [0, 429, 502, 503, 504];
const firstDelayMs = 300;
const maxDelayMs = 8_000;
/** The client does not wait for a server that asks for a longer delay. */
const maxRetryAfterMs = 60_000;

/** Whether repeating a request has no further effect. */
export const isIdempotent = (method: string, headers: Headers): boolean =>
  idempotentMethods.includes(method) || headers.has('idempotency-key');

/** Whether the same request may succeed a moment later: there was no response, or the response indicates this. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof GradewayError && error.code !== 'timeout' && temporaryStatuses.includes(error.status);

/**
 * The time before the next attempt: exponential, randomized between half and all of the delay, and at least as long as
 * the server asks for. Undefined if that is too long.
 * @param attempt 0 after the first
 * @param retryAfter seconds, or a date
 */
export function delayBefore(
  attempt: number,
  retryAfter: string | null,
  { now = Date.now(), random = Math.random() } = {},
): number | undefined {
  const backoff = Math.min(maxDelayMs, firstDelayMs * 2 ** attempt) * (0.5 + random / 2);
  if (retryAfter === null) return backoff;
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  if (asked > maxRetryAfterMs) return undefined;
  return Math.max(backoff, asked || 0);
}
