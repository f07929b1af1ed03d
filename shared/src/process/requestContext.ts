import { AsyncLocalStorage } from 'node:async_hooks';

/** What belongs to the request being served, wherever in the code one is. */
export interface RequestContext {
  /** The id that every process on the request's way logs. */
  requestId: string;
  /** When the caller stops waiting: milliseconds since the epoch. Calls made for the request end before it. */
  deadline: number;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();

/** The time that is left of the request being served, at most `limit`, in milliseconds. */
export function remainingTime(limit: number): number {
  const context = requestContext.getStore();
  return context ? Math.max(0, Math.min(limit, context.deadline - Date.now())) : limit;
}
