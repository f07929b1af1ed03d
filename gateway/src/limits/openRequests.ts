import { afterResponse } from '@gradeway/shared/http/afterResponse';
import type { Response } from 'express';
import { declareLimit, tooManyRequests } from './rateLimit.ts';

export interface OpenRequests {
  /** Counts a request until its response ends. @throws AppError 429 when too many of the same client are open */
  hold(key: string, limit: number, res: Response): void;
}

interface OpenCount {
  requests: number;
}

// As long as fewer clients are counted, none is deleted.
const minClients = 1_000;

/** Counts the requests in progress of each client. A limit of 0 means no limit. `name` is a metric label. */
export function createOpenRequests(name: 'open' | 'transfers' = 'open'): OpenRequests {
  // Clients without open requests are not deleted at once: deleting and adding one for every request would leave the replaced
  // tables of the map as garbage for full collections (decision 55).
  const open = new Map<string, OpenCount>();
  let deleteAt = minClients;
  declareLimit(name);

  function add(key: string): OpenCount {
    if (open.size >= deleteAt) {
      for (const [client, { requests }] of open) if (requests === 0) open.delete(client);
      // Doubled, so that a new client costs the same on average, however many have open requests.
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
