import type { Answer } from '@gradeway/test/httpClient';
import jwt from 'jsonwebtoken';
import type { AuthService } from './authService.ts';

export const claimsOf = (token: string) => jwt.decode(token) as jwt.JwtPayload;

/** Sends requests about service accounts as the first administrator. */
export function serviceAccountsOf(auth: () => AuthService) {
  const path = '/api/v3/admin/service-accounts';
  const send = (method: string, rest: string, body?: unknown): Promise<Answer> =>
    auth().call(method, path + rest, { token: auth().admin, body });
  return {
    send,
    async create(properties: object = {}) {
      const fields = { name: 'Student information system', scopes: ['users:read'], ...properties };
      const { status, body } = await send('POST', '', fields);
      if (status !== 201) throw new Error(`new service account: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
  };
}
