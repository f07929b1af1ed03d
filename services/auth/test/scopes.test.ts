import type { Scope } from '@gradeway/shared/auth/scopes';
import { otherScopes, request, scopedRoutes, scopeRefusal } from '@gradeway/test/scopedRequests';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceAccountsOf } from './apiTokens.ts';
import { type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

const tokens = new Map<string, Promise<string>>();

/** A token of a service account with exactly these scopes. */
async function tokenWith(scopes: Scope[]): Promise<string> {
  const key = scopes.join(' ');
  const token =
    tokens.get(key) ??
    serviceAccountsOf(() => auth)
      .create({ scopes })
      .then((account) => account.token);
  tokens.set(key, token);
  return token;
}

// The operations without a required scope accept every token.
const routes = scopedRoutes('auth').filter(({ scope }) => scope !== null);

// The gateway is not involved: only auth's own check stands between these requests and its data.
test.each(routes)('auth refuses $method $path with a token without its scope', async (route) => {
  const token = await tokenWith(otherScopes(route));
  expect(await request(auth.service.url, route, token)).toMatchObject(scopeRefusal(route));
});

test.each(
  routes.flatMap(({ scope, ...route }) =>
    scope === null || scope === 'session' ? [] : [{ ...route, scope }],
  ),
)('auth admits $method $path with a token with its scope', async (route) => {
  const { body } = await request(auth.service.url, route, await tokenWith([route.scope]));
  expect(body?.errors?.scope).toBeUndefined();
});
