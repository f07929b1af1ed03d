import type { Request, Response } from 'express';

/*
 * What metrics and traces may know of a request: the template of its route and a method of the protocol. What stands in
 * a path as it was sent may be a person's number, and each new value would be a time series for ever.
 */

/** Says which route a request took, as a template, where express does not know. */
export function recordRoute(res: Response, template: string): void {
  res.locals.route = template;
}

/** The template of the route that a request took; undefined when it took none. */
export function routeOf(req: Request, res: Response): string | undefined {
  const route: unknown = res.locals.route ?? req.route?.path;
  return typeof route === 'string' ? route : undefined;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method of a request, or `_OTHER` for one that a stranger made up. */
export const knownMethod = (method: string): string => (methods.has(method) ? method : '_OTHER');
