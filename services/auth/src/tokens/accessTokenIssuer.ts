import { randomUUID } from 'node:crypto';
import { accessTokenType } from '@gradeway/shared/auth/accessToken';
import type { Role } from '@gradeway/shared/auth/roles';
import type { Scope } from '@gradeway/shared/auth/scopes';
import type { TokenOwner } from '../apiTokens/domain/apiToken.ts';
import type { KeyRing } from './keyRing.ts';
import { signJwt } from './signJwt.ts';

/** The id and dates of an unsigned token. This allows the session to be stored before the token is signed. */
export interface PreparedToken {
  tokenId: string;
  issuedAt: Date;
  tokenExpiresAt: Date;
}

interface Subject {
  userId: number;
  sessionId: number;
  role: Role;
}

interface ProgramSubject {
  owner: TokenOwner;
  role: Role;
  scopes: readonly Scope[];
  courseIds: readonly number[] | null;
}

interface Options {
  keys: Pick<KeyRing, 'signingKey'>;
  issuer: string;
  audience: string;
  ttlMs: number;
}

/** Issues access tokens (D11): JWTs according to RFC 9068, signed with ES256. */
export class AccessTokenIssuer {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  prepare(): PreparedToken {
    // JWT dates have a resolution of one second.
    const issuedAt = Math.floor(Date.now() / 1000) * 1000;
    return {
      tokenId: randomUUID(),
      issuedAt: new Date(issuedAt),
      tokenExpiresAt: new Date(issuedAt + Math.floor(this.#options.ttlMs / 1000) * 1000),
    };
  }

  /** Prepares a token for programs. Its expiry must have whole seconds. */
  prepareUntil(tokenExpiresAt: Date): PreparedToken {
    return { tokenId: randomUUID(), issuedAt: new Date(), tokenExpiresAt };
  }

  /** Prepares a previously issued token to be signed again, with the same id and expiry. */
  prepareAgain({
    tokenId,
    tokenExpiresAt,
  }: Pick<PreparedToken, 'tokenId' | 'tokenExpiresAt'>): PreparedToken {
    return { tokenId, tokenExpiresAt, issuedAt: new Date() };
  }

  sign(prepared: PreparedToken, { userId, sessionId, role }: Subject): string {
    return this.#sign(prepared, userId, { sid: sessionId, role }).text;
  }

  /** Signs a token for programs, and names the key that must stay published until the token expires. */
  signForProgram(
    prepared: PreparedToken,
    { owner, role, scopes, courseIds }: ProgramSubject,
  ): { text: string; keyId: string } {
    const [id, kind] = 'userId' in owner ? [owner.userId, 'personal'] : [owner.serviceAccountId, 'service'];
    const limits = { scope: scopes.join(' '), ...(courseIds && { course_ids: courseIds }) };
    return this.#sign(prepared, id, { role, token_kind: kind, ...limits });
  }

  #sign({ tokenId, issuedAt, tokenExpiresAt }: PreparedToken, subject: number, claims: object) {
    const { keys, issuer, audience } = this.#options;
    return signJwt(keys, accessTokenType, {
      iss: issuer,
      aud: audience,
      sub: String(subject),
      ...claims,
      jti: tokenId,
      iat: unixSeconds(issuedAt),
      exp: unixSeconds(tokenExpiresAt),
    });
  }
}

export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1000);
