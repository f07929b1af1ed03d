import type { Response } from 'express';

/** Records the request id, which the response carries as `X-Request-Id`. */
export function recordRequestId(res: Response, requestId: string): void {
  res.locals.requestId = requestId;
}

/** Returns the request id; undefined before it is assigned. */
export const requestIdOf = (res: Response): string | undefined => res.locals.requestId as string | undefined;
