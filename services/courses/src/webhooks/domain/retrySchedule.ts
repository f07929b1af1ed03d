const maxRetryAfterMs = 86_400_000;

/**
 * Returns the delay in milliseconds after a number of failed attempts, or undefined if the schedule has no further
 * attempt. Adds random jitter of up to a tenth, so that messages that failed together are not all retried at the same
 * moment.
 */
export function delayAfter(attempts: number, schedule: number[], random = Math.random()): number | undefined {
  const delay = schedule[attempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (0.9 + 0.2 * random));
}

/** Parses a `Retry-After` header (RFC 9110 §10.2.3) into milliseconds: at most a day, 0 when absent or invalid. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : 0;
}
