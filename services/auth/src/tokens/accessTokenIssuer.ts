import { randomUUID } from 'node:crypto';
import { accessTokenType } from '@gradeway/shared/auth/accessToken';
import type { Role } from '@gradeway/shared/auth/roles';
import jwt from 'jsonwebtoken';
import type { KeyRing } from './keyRing.ts';

/** Names a token before it is signed: its session is written with these in the same transaction. */
export interface TokenDates {
  tokenId: string;
  issuedAt: Date;
  tokenExpiresAt: Date;
}

interface Subject {
  userId: number;
  sessionId: number;
  role: Role;
}

interface Options {
  keys: Pick<KeyRing, 'signingKey'>;
  issuer: string;
  audience: string;
  ttlMs: number;
}

/** Makes access tokens (D11): JWTs as RFC 9068 has them, signed ES256. */
export class AccessTokens {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  next(): TokenDates {
    // A JWT knows whole seconds only.
    const issuedAt = Math.floor(Date.now() / 1000) * 1000;
    return {
      tokenId: randomUUID(),
      issuedAt: new Date(issuedAt),
      tokenExpiresAt: new Date(issuedAt + Math.floor(this.#options.ttlMs / 1000) * 1000),
    };
  }

  sign({ tokenId, issuedAt, tokenExpiresAt }: TokenDates, { userId, sessionId, role }: Subject): string {
    const { keys, issuer, audience } = this.#options;
    const { kid, privateKey } = keys.signingKey();
    const claims = {
      ...{ iss: issuer, aud: audience, sub: String(userId), sid: sessionId, role, jti: tokenId },
      iat: unixSeconds(issuedAt),
      exp: unixSeconds(tokenExpiresAt),
    };
    const header = { alg: 'ES256', typ: accessTokenType, kid };
    return jwt.sign(claims, privateKey, { algorithm: 'ES256', header });
  }
}

export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
