import { queryOptions } from '@tanstack/react-query';
import type { components, paths } from '../../apiTypes/schema.ts';
import { api, responseOf } from '../shared/api/client.ts';
import type { Identity } from '../shared/api/ownIdentities.ts';
import { readAll } from '../shared/api/readAll.ts';
import { reauthenticate } from '../shared/session/reauthentication.ts';
import { headers } from '../shared/session/sessionRequests.ts';
import type { PersonalToken, Scope } from '../shared/tokens/tokenTypes.ts';

type Schemas = components['schemas'];

export type Notifications = Schemas['Notifications'];
export type NewToken = paths['/api/v3/me/tokens']['post']['requestBody']['content']['application/json'];

export const tokensQuery = queryOptions({
  queryKey: ['account', 'tokens'],
  staleTime: 0,
  queryFn: ({ signal }): Promise<PersonalToken[]> =>
    readAll(async (page) => {
      const params = { query: { page } };
      return (await responseOf(api.GET('/api/v3/me/tokens', { params, signal }))).body;
    }),
});

/** The scopes that a token of the user can have: those of the session. */
export const scopesQuery = queryOptions({
  queryKey: ['account', 'scopes'],
  queryFn: async ({ signal }): Promise<Scope[]> =>
    (await responseOf(api.GET('/api/v3/me/token', { signal }))).body.data.scopes,
});

/** Returns the token, which no other response contains. */
export async function createToken(body: NewToken): Promise<string> {
  return (await responseOf(api.POST('/api/v3/me/tokens', { body }))).body.data.token;
}

export async function endToken(id: PersonalToken['id']): Promise<void> {
  await responseOf(api.DELETE('/api/v3/me/tokens/{id}', { params: { path: { id } } }));
}

export async function removeIdentity(id: Identity['id']): Promise<void> {
  await responseOf(api.DELETE('/api/v3/me/identities/{id}', { params: { path: { id } } }));
}

/** Leaves for the provider, after the password if the installation requires it. */
export async function linkIdentity(provider: string): Promise<void> {
  const page = `/session/sso/${provider}?link=1&next=%2Faccount`;
  // A script sees only whether the gateway redirects or refuses, so the browser then opens the page itself.
  const { status } = await fetch(page, { headers, redirect: 'manual' });
  if (status === 403) await reauthenticate();
  location.assign(page);
}

export const notificationsQuery = queryOptions({
  queryKey: ['account', 'notifications'],
  queryFn: async ({ signal }): Promise<Notifications> =>
    (await responseOf(api.GET('/api/v3/me/notifications', { signal }))).body.data,
});

export async function changeNotifications(body: Notifications): Promise<Notifications> {
  return (await responseOf(api.PUT('/api/v3/me/notifications', { body }))).body.data;
}

/** Returns the address of the calendar, which no other response contains. An earlier address ends. */
export async function createCalendar(): Promise<string> {
  return (await responseOf(api.POST('/api/v3/me/calendar'))).body.data.url;
}

export async function endCalendar(): Promise<void> {
  await responseOf(api.DELETE('/api/v3/me/calendar'));
}
