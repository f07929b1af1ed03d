const longestRetryAfterMs = 86_400_000;

/**
 * How long to wait after a number of failed attempts, in milliseconds, by the schedule; undefined when there is no
 * further attempt. A tenth sooner or later at random, so that what failed together does not come back together.
 */
export function delayAfter(attempts: number, schedule: number[], random = Math.random()): number | undefined {
  const delay = schedule[attempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (0.9 + 0.2 * random));
}

/** What a `Retry-After` header asks for (RFC 9110 §10.2.3), in milliseconds; a day at most, 0 when it says nothing. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestRetryAfterMs) : 0;
}
