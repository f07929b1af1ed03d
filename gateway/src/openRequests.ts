import { afterResponse } from '@gradeway/shared/http/afterResponse';
import type { Response } from 'express';
import { declareLimit, tooManyRequests } from './rateLimit.ts';

export interface OpenRequests {
  /** Counts a request until its response ends. @throws AppError 429 when too many of the same client are open */
  hold(key: string, limit: number, res: Response): void;
}

/** Counts the requests in progress of each client. A limit of 0 means no limit. */
export function createOpenRequests(): OpenRequests {
  const open = new Map<string, number>();
  declareLimit('open');

  function release(key: string): void {
    const others = (open.get(key) ?? 1) - 1;
    if (others === 0) open.delete(key);
    else open.set(key, others);
  }

  return {
    hold(key, limit, res) {
      const others = open.get(key) ?? 0;
      if (limit > 0 && others >= limit) throw tooManyRequests('open', 1_000);
      if (res.closed) return;
      open.set(key, others + 1);
      afterResponse(res, () => release(key));
    },
  };
}
