import { scopeOf } from '@gradeway/shared/auth/requireScope';
import type { Scope } from '@gradeway/shared/auth/scopes';
import { scopes } from '@gradeway/shared/auth/scopes';
import { routeTable, type Upstream } from '../../gateway/src/routing/routeTable.ts';
import { type Answer, createHttpClient } from './httpClient.ts';

/** Every operation of a service that requires a token, with what a token for programs needs for it. */
export const scopedRoutes = (upstream: Upstream) =>
  routeTable.flatMap((route) => {
    const scope = scopeOf(route.method, route.path);
    return route.upstream === upstream && scope !== undefined ? [{ ...route, scope }] : [];
  });

type ScopedRoute = ReturnType<typeof scopedRoutes>[number];

/** All scopes except that of an operation. */
export const otherScopes = ({ scope }: Pick<ScopedRoute, 'scope'>): Scope[] =>
  scopes.filter((each) => each !== scope);

/** Sends a request for ids that do not exist. */
export const request = (baseUrl: string, { method, path }: ScopedRoute, token: string): Promise<Answer> =>
  createHttpClient({ baseUrl, token }).request(method, path.replaceAll(/:\w+/g, '999999999'));

/** The response to a token that lacks the scope of an operation. */
export function scopeRefusal({ path, scope }: ScopedRoute) {
  const message =
    scope === 'session' ? 'This operation needs a session.' : `This token lacks the scope ${scope}.`;
  const isHomeworkOfSpecification = /^\/api\/v3\/(admin\/homeworks|assignments)/.test(path);
  return {
    status: isHomeworkOfSpecification ? 401 : 403,
    body: {
      message: isHomeworkOfSpecification ? 'UnauthorizedRequest' : 'Unauthorized Access',
      errors: { scope: [message] },
    },
  };
}
