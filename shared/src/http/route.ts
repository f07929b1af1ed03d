import type { Request, Response } from 'express';

/*
 * Metrics and spans contain the route template instead of the path: a path can contain personal data, and each new path
 * would create a new time series.
 */

/** Records the route template of a request that Express did not route. */
export function recordRoute(res: Response, template: string): void {
  res.locals.route = template;
}

/** Returns the route template of a request; undefined if no route matched. */
export function routeOf(req: Request, res: Response): string | undefined {
  const route: unknown = res.locals.route ?? req.route?.path;
  return typeof route === 'string' ? route : undefined;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns the request method, or `_OTHER` for a non-standard one. */
export const knownMethod = (method: string): string => (methods.has(method) ? method : '_OTHER');
