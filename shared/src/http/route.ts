import type { Request, Response } from 'express';

/*
 * Metrics and spans contain the template of a route instead of the path: a path may contain personal data, and each new
 * path would create a new time series.
 */

/** Records the route template of a request, where Express does not know it. */
export function recordRoute(res: Response, template: string): void {
  res.locals.route = template;
}

/** The route template of a request; undefined when no route matched. */
export function routeOf(req: Request, res: Response): string | undefined {
  const route: unknown = res.locals.route ?? req.route?.path;
  return typeof route === 'string' ? route : undefined;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method of a request; `_OTHER` for one that is not standard. */
export const knownMethod = (method: string): string => (methods.has(method) ? method : '_OTHER');
