/** The result of an attempt to send files: with or without a response. */
export type Outcome =
  | { answered: false }
  | { answered: true; status: number; message: string; retryAfterSeconds: number | null };

export type Decision =
  | { do: 'finish' }
  /** Sends it again with the same key, so that it counts only once whatever happened to this attempt. */
  | { do: 'wait'; ms: number; because: 'connection' | 'busy' }
  | { do: 'renew token' }
  | { do: 'give up'; message: string };

const minDelayMs = 1_000;
const maxDelayMs = 30_000;

/** 1, 2, 4 … 30 seconds. */
export const backOff = (failures: number): number => Math.min(minDelayMs * 2 ** failures, maxDelayMs);

/**
 * Decides how to continue after an attempt, given the number of consecutive failures. A definitive response ends the
 * upload; a missing response, or that of a busy service, does not.
 */
export function afterAttempt(outcome: Outcome, failures: number): Decision {
  if (!outcome.answered) return { do: 'wait', ms: backOff(failures), because: 'connection' };
  const { status, message, retryAfterSeconds } = outcome;
  if (status >= 200 && status < 300) return { do: 'finish' };
  if (status === 401) return { do: 'renew token' };
  if (status === 408 || status === 429 || status >= 500)
    return {
      do: 'wait',
      ms: Math.max(backOff(failures), (retryAfterSeconds ?? 0) * 1000),
      because: 'busy',
    };
  return { do: 'give up', message };
}

/** Services remember keys for 24 hours. After that, the same file would count as a new one. */
export const keyLifetime = 23 * 3_600_000;

/** Whether an upload stored on the device can be resumed. */
export const canResume = ({ createdAt }: { createdAt: number }, now: number): boolean =>
  now - createdAt < keyLifetime && createdAt <= now + 60_000;

/** Returns the progress in quarters for screen readers. Announcing every percent would be too much. */
export const announcedQuarter = (sent: number, total: number): number =>
  total === 0 ? 0 : Math.floor((sent / total) * 4) * 25;
