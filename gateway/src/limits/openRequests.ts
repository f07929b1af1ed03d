import { afterResponse } from '@gradeway/shared/http/afterResponse';
import type { Response } from 'express';
import { declareLimit, tooManyRequests } from './rateLimit.ts';

export interface OpenRequests {
  /** Counts a request until its response ends. @throws AppError 429 when the client has too many open requests */
  hold(key: string, limit: number, res: Response): void;
}

interface OpenCount {
  requests: number;
}

// Below this number, no client is deleted.
const minClients = 1_000;

/** Counts the requests in progress of each client. A limit of 0 means no limit. `name` is a metric label. */
export function createOpenRequests(name: 'open' | 'transfers' = 'open'): OpenRequests {
  // Clients without open requests are not deleted immediately: a map that shrinks and grows with every request leaves its old tables
  // as garbage for full collections (decision 55).
  const open = new Map<string, OpenCount>();
  let deleteAt = minClients;
  declareLimit(name);

  function add(key: string): OpenCount {
    if (open.size >= deleteAt) {
      for (const [client, { requests }] of open) if (requests === 0) open.delete(client);
      // Doubling keeps the average cost of a new client constant.
      deleteAt = Math.max(minClients, 2 * open.size);
    }
    const count = { requests: 0 };
    open.set(key, count);
    return count;
  }

  return {
    hold(key, limit, res) {
      const count = open.get(key) ?? add(key);
      if (limit > 0 && count.requests >= limit) throw tooManyRequests(name, 1_000);
      if (res.closed) return;
      count.requests += 1;
      afterResponse(res, () => {
        count.requests -= 1;
      });
    },
  };
}
