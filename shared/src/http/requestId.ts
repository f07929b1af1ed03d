import type { Response } from 'express';

/** Records the id of a request, which the response carries as `X-Request-Id`. */
export function recordRequestId(res: Response, requestId: string): void {
  res.locals.requestId = requestId;
}

/** The id of a request; undefined before it has one. */
export const requestIdOf = (res: Response): string | undefined => res.locals.requestId as string | undefined;
