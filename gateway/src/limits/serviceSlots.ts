import { unavailable } from '@gradeway/shared/errors/appError';
import { afterResponse } from '@gradeway/shared/http/afterResponse';
import { everyone, type Release, Semaphore } from '@gradeway/shared/process/semaphore';
import type { Response } from 'express';

/**
 * Slots of each service for uploads, for downloads and for all other requests. No single client may hold that many.
 */
export const slotsPerKind = 1_024;

export interface ServiceSlots {
  /**
   * Waits for a slot, which is freed when the response ends. False when the client disconnects during the wait.
   * @throws AppError 503 when no slot becomes free in time
   */
  enter(res: Response): Promise<boolean>;
}

/**
 * Limits the concurrent requests to a service. The agents of Node.js and undici can also limit connections, but do not time out
 * requests that wait for one. Requests wait in order of arrival, because the limits per client apply earlier.
 */
export function createServiceSlots(slots: number, timeoutMs: number): ServiceSlots {
  const semaphore = new Semaphore({ slots });

  async function wait(res: Response): Promise<Release | undefined> {
    const disconnected = new AbortController();
    const disconnect = () => disconnected.abort();
    res.once('close', disconnect);
    try {
      const timeout = AbortSignal.timeout(timeoutMs);
      return await semaphore.acquire(everyone, AbortSignal.any([disconnected.signal, timeout]));
    } catch {
      if (disconnected.signal.aborted) return undefined;
      throw unavailable(new Error('no slot of the service became free'));
    } finally {
      res.off('close', disconnect);
    }
  }

  return {
    async enter(res) {
      if (res.closed) return false;
      const release = semaphore.tryAcquire(everyone) ?? (await wait(res));
      if (!release) return false;
      // The client may have disconnected since the slot became free.
      if (res.closed) release();
      else afterResponse(res, release);
      return !res.closed;
    },
  };
}
