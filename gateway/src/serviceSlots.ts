import { unavailable } from '@gradeway/shared/errors/appError';
import { afterResponse } from '@gradeway/shared/http/afterResponse';
import type { Response } from 'express';

/** The slots of each service for uploads, for downloads and for all other requests: more than one client may hold. */
export const slotsPerKind = 1_024;

export interface ServiceSlots {
  /**
   * Takes a slot, which is freed when the response ends, and waits for it if there is none. False when the client
   * disconnects before.
   * @throws AppError 503 when there is none within the time
   */
  enter(res: Response): boolean | Promise<boolean>;
}

/**
 * Limits the requests that a service has at the same time, in the order of their arrival. The agent of Node.js could limit
 * its connections as well, but requests that wait for one have no timeout there.
 */
export function createServiceSlots(slots: number, timeoutMs: number): ServiceSlots {
  const waiting = new Set<() => void>();
  let free = slots;

  function take(res: Response): void {
    free -= 1;
    afterResponse(res, () => {
      free += 1;
      const [next] = waiting;
      next?.();
    });
  }

  return {
    enter(res) {
      if (res.closed) return false;
      if (free > 0) {
        take(res);
        return true;
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer);
          waiting.delete(start);
          res.off('close', disconnect);
        };
        const start = () => {
          leave();
          take(res);
          resolve(true);
        };
        const disconnect = () => {
          leave();
          resolve(false);
        };
        const giveUp = () => {
          leave();
          reject(unavailable(new Error('no connection to the service became free')));
        };
        const timer = setTimeout(giveUp, timeoutMs);
        waiting.add(start);
        res.once('close', disconnect);
      });
    },
  };
}
