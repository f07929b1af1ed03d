import { AsyncLocalStorage } from 'node:async_hooks';

/** Data of the request being served, available to all code that runs for it. */
export interface RequestContext {
  /** `X-Request-Id`; every process that handles the request logs it. */
  requestId: string;
  /** When the caller stops waiting, in milliseconds since the epoch. Calls made for the request end before it. */
  deadline: number;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Time until the deadline of the request being served, at most `limit`; without a request, `limit`. Milliseconds. */
export function remainingTime(limit: number): number {
  const context = requestContext.getStore();
  return context ? Math.max(0, Math.min(limit, context.deadline - Date.now())) : limit;
}
