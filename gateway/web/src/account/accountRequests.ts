import { queryOptions } from '@tanstack/react-query';
import type { components } from '../../apiTypes/schema.ts';
import { api, responseOf } from '../shared/api/client.ts';

export type OwnSession = components['schemas']['OwnSession'];

export const meQuery = queryOptions({
  queryKey: ['account', 'me'],
  queryFn: async ({ signal }) => (await responseOf(api.GET('/api/v3/me', { signal }))).body.data,
});

/** The newest 100 sessions: more than a user can keep track of. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  staleTime: 0,
  queryFn: async ({ signal }): Promise<OwnSession[]> => {
    const params = { query: { per_page: 100 } };
    return (await responseOf(api.GET('/api/v3/me/sessions', { params, signal }))).body.data;
  },
});

export async function changePassword(password: string, currentPassword: string): Promise<void> {
  const body = { password, current_password: currentPassword };
  await responseOf(api.PUT('/api/v3/password', { body }));
}

export async function endSession(id: number): Promise<void> {
  await responseOf(api.DELETE('/api/v3/me/sessions/{id}', { params: { path: { id } } }));
}

export async function requestFactor(): Promise<{ secret: string; otpauth_url: string }> {
  return (await responseOf(api.POST('/api/v3/mfa/totp'))).body.data;
}

/** Returns the recovery codes. No later request returns them again. */
export async function confirmFactor(code: string): Promise<string[]> {
  const answer = await responseOf(api.POST('/api/v3/mfa/totp/confirm', { body: { code } }));
  return answer.body.data.recovery_codes;
}

export async function removeFactor(code: string): Promise<void> {
  await responseOf(api.DELETE('/api/v3/mfa/totp', { body: { code } }));
}
