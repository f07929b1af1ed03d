import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { unauthenticated } from '../errors/appError.ts';
import { isRole, type Role } from './roles.ts';
import type { Scope } from './scopes.ts';
import { readTokenKind, type TokenKind } from './tokenKind.ts';

/** The account that a verified token belongs to, and the token's limits. */
export interface Principal {
  /** The id of an account or of a service account. They are never the same. */
  userId: number;
  /** The purpose that the token was issued for: a login, a person's own programs, or a service account. */
  kind: TokenKind;
  /** Null if the token belongs to no session, because it was issued for programs. */
  sessionId: number | null;
  /** A service account has the role `admin`. */
  role: Role;
  /** Null for a session, which may do everything that its role may. */
  scopes: ReadonlySet<Scope> | null;
  /** The only courses that the token gives access to. Null is no limit. */
  courseIds: ReadonlySet<number> | null;
  tokenId: string;
  /** The `kid` of the key that signed the token. */
  keyId: string;
  /** Unix seconds. */
  expiresAt: number;
}

export interface TokenKeys {
  /** Returns the public key with this `kid`; undefined if auth has not published one. */
  find(kid: string): Promise<KeyObject | undefined>;
}

export interface RevocationCheck {
  isRevoked(token: { sessionId: number | null; tokenId: string; keyId?: string }): boolean;
}

export interface TokenRules {
  keys: TokenKeys;
  revocations: RevocationCheck;
  issuer: string;
  audience: string;
}

/** `iss` of every token that auth signs. */
export const issuer = 'gradeway';
/** `aud` of access tokens. */
export const audience = 'gradeway-api';

/** @throws AppError `unauthenticated` for a token that is invalid, expired or revoked */
export type VerifyToken = (token: string) => Promise<Principal>;

/** `typ` of an access token (RFC 9068). Receipts are signed with the same keys but have another type. */
export const accessTokenType = 'at+jwt';

const maxCachedTokens = 20_000;
// A session's token has about 400 characters; one with all scopes and the maximum number of courses fewer than 3,000.
// Longer input is rejected without parsing.
const maxTokenLength = 4_096;

/**
 * Creates a verifier of access tokens (D11). Checks ES256, a published key, issuer, audience, subject, expiry and
 * revocation (RFC 8725 §3.1, §3.8, §3.9, §3.11). Valid signatures are cached; expiry and revocation, including that of
 * the key, are checked on every call.
 */
export function createTokenVerifier(rules: TokenRules): VerifyToken {
  const verified = new LRUCache<string, Principal>({ max: maxCachedTokens });

  return async (token) => {
    let principal = verified.get(token);
    if (!principal) {
      principal = await verifySignature(token, rules);
      verified.set(token, principal);
    }
    if (principal.expiresAt * 1000 <= Date.now()) throw unauthenticated('expired');
    if (rules.revocations.isRevoked(principal)) throw unauthenticated('revoked');
    return principal;
  };
}

/**
 * Verifies a token's signature and claims, but neither its expiry nor its revocation, because auth also exchanges
 * expired tokens (D12).
 * @throws AppError `unauthenticated`
 */
export async function verifySignature(
  token: string,
  { keys, issuer, audience }: Omit<TokenRules, 'revocations'>,
): Promise<Principal> {
  const header = token.length <= maxTokenLength ? jwt.decode(token, { complete: true })?.header : undefined;
  if (header?.alg !== 'ES256' || header.typ !== accessTokenType || header.crit || !header.kid)
    throw unauthenticated('not an ES256 access token');
  const key = await keys.find(header.kid);
  if (!key) throw unauthenticated('signed with an unknown key');
  try {
    const claims = jwt.verify(token, key, {
      algorithms: ['ES256'],
      issuer,
      audience,
      ignoreExpiration: true,
    });
    return readClaims(claims, header.kid);
  } catch (error) {
    throw unauthenticated(error);
  }
}

function readClaims(claims: string | jwt.JwtPayload, keyId: string): Principal {
  if (typeof claims === 'string') throw new Error('the payload is not an object');
  const { sub, role, jti, exp } = claims;
  const userId = Number(sub);
  const complete = Number.isSafeInteger(userId) && userId > 0 && isRole(role) && jti && exp;
  if (!complete) throw new Error('a claim is missing');
  return { userId, role, ...readTokenKind(claims), tokenId: jti, keyId, expiresAt: exp };
}
