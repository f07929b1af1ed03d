import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until the answer is true, every 50 ms. An error counts as no.
 * @throws the last error, or one that says that it took too long
 */
export async function waitFor(ask: () => unknown | Promise<unknown>, timeoutMs = 10_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  let last: unknown = new Error(`not so after ${timeoutMs} ms: ${ask}`);
  while (Date.now() < end) {
    try {
      if (await ask()) return;
    } catch (error) {
      last = error;
    }
    await sleep(50);
  }
  throw last;
}
