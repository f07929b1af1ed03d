import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accessTokenType } from '@gradeway/shared/auth/accessToken';
import type { Role } from '@gradeway/shared/auth/roles';
import jwt from 'jsonwebtoken';

export interface TokenIssuer {
  jwksUrl: string;
  /** Signs an access token like auth; `claims` and `header` override parts of it. */
  sign(userId: number, role: Role, claims?: object, header?: object): string;
  /** Signs a token for programs, of a service account unless `claims` name another kind. */
  signForProgram(id: number, scope: string, claims?: object): string;
  close(): Promise<void>;
}

export const issuer = 'gradeway';
export const audience = 'gradeway-api';

/** Issues access tokens in place of auth, and serves the key set that verifies them. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  const set = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] };
  const server: Server = createServer((_req, res) => {
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify(set));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issued: TokenIssuer = {
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/jwks.json`,
    sign(userId, role, claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const payload = {
        sub: String(userId),
        sid: userId,
        role,
        jti: randomUUID(),
        iat: now,
        exp: now + 3600,
      };
      return jwt.sign({ ...payload, iss: issuer, aud: audience, ...claims }, privateKey, {
        algorithm: 'ES256',
        header: { alg: 'ES256', typ: accessTokenType, kid, ...header },
      });
    },
    signForProgram: (id, scope, claims = {}) =>
      issued.sign(id, 'admin', { sid: undefined, token_kind: 'service', scope, ...claims }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return issued;
}
