import { afterResponse } from '@gradeway/shared/http/afterResponse';
import type { Response } from 'express';
import { declareLimit, tooManyRequests } from './rateLimit.ts';

export interface OpenRequests {
  /** Counts a request until its response ends. @throws AppError 429 when the client already has `limit` open requests */
  hold(key: string, limit: number, res: Response): void;
}

/** Counts the requests in progress of each client. A limit of 0 means no limit. `name` is a metric label. */
export function createOpenRequests(name: 'open' | 'transfers' = 'open'): OpenRequests {
  const open = new Map<string, number>();
  declareLimit(name);

  function release(key: string): void {
    const others = (open.get(key) ?? 0) - 1;
    if (others > 0) open.set(key, others);
    else open.delete(key);
  }

  return {
    hold(key, limit, res) {
      const requests = open.get(key) ?? 0;
      if (limit > 0 && requests >= limit) throw tooManyRequests(name, 1_000);
      if (res.closed) return;
      open.set(key, requests + 1);
      afterResponse(res, () => release(key));
    },
  };
}
