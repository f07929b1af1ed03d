export interface RetryPolicy {
  /** Delay after each failed attempt, in milliseconds. The last one repeats. */
  schedule: number[];
  giveUpAfterMs: number;
}

/**
 * Returns the delay before the next attempt, or undefined if no attempt is left. The last attempt is at the end of the
 * period. Delays vary by a tenth, so that messages that failed together are not all retried at the same moment.
 * @param attempts the number of failed attempts
 * @param waitedMs the time since the message was first due
 */
export function retryDelay(
  { schedule, giveUpAfterMs }: RetryPolicy,
  attempts: number,
  waitedMs: number,
  random = Math.random(),
): number | undefined {
  const remainingMs = giveUpAfterMs - waitedMs;
  if (remainingMs <= 0) return undefined;
  const delay = schedule[Math.min(attempts, schedule.length) - 1] ?? giveUpAfterMs;
  return Math.min(Math.round(delay * (0.9 + 0.2 * random)), remainingMs);
}
