import { setTimeout as sleep } from 'node:timers/promises';

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Polls until `probe` returns something truthy, and returns it. An error counts as a failed probe. The limit is
 * generous, because it only ends a test that can no longer succeed and measures nothing.
 * @param pauseMs between two probes; longer for one that takes much CPU time
 */
export async function waitFor<T>(
  probe: () => T | Promise<T>,
  timeoutMs = 60_000,
  pauseMs = 20,
): Promise<Truthy<T>> {
  const deadline = Date.now() + timeoutMs;
  let cause: unknown;
  do {
    try {
      const result = await probe();
      if (result) return result as Truthy<T>;
    } catch (error) {
      cause = error;
    }
    await sleep(pauseMs);
  } while (Date.now() < deadline);
  throw new Error(`still not so after ${timeoutMs} ms: ${probe}`, { cause });
}
