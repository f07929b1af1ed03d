import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { unauthenticated } from '../errors/appError.ts';
import { isRole, type Role } from './roles.ts';

/** Who a request comes from, as a token attests it. */
export interface Principal {
  userId: number;
  sessionId: number;
  role: Role;
  tokenId: string;
  /** Unix seconds. */
  expiresAt: number;
}

export interface TokenKeys {
  /** The public key of this `kid`; undefined when auth has published none. */
  find(kid: string): Promise<KeyObject | undefined>;
}

export interface Revocations {
  isRevoked(token: { sessionId: number; tokenId: string }): boolean;
}

export interface TokenRules {
  keys: TokenKeys;
  revocations: Revocations;
  issuer: string;
  audience: string;
}

/** Returns the token's principal, or throws AppError `unauthenticated`. */
export type VerifyToken = (token: string) => Promise<Principal>;

/** The `typ` of our access tokens (RFC 9068): a receipt signed with the same keys is none. */
export const accessTokenType = 'at+jwt';

const cachedTokens = 20_000;
// A JWT of ours has some 400 characters. What is much longer is not looked at.
const longestToken = 2_048;

/**
 * Verifies access tokens (D11): ES256 by a published key, our issuer and audience, a subject, not expired, not
 * revoked (RFC 8725 §3.1, §3.8, §3.9, §3.11). The signature of a token is verified once and remembered until
 * the token expires; expiry and revocation are judged at every call.
 */
export function createTokenVerifier(rules: TokenRules): VerifyToken {
  const verified = new LRUCache<string, Principal>({ max: cachedTokens });

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
 * Verifies all of a token but its expiry and whether it was revoked. For those who must read an expired token:
 * auth, when it is exchanged for a new one (D12).
 */
export async function verifySignature(
  token: string,
  { keys, issuer, audience }: Omit<TokenRules, 'revocations'>,
): Promise<Principal> {
  const header = token.length <= longestToken ? jwt.decode(token, { complete: true })?.header : undefined;
  if (header?.alg !== 'ES256' || header.typ !== accessTokenType || header.crit || !header.kid)
    throw unauthenticated('not one of our access tokens');
  const key = await keys.find(header.kid);
  if (!key) throw unauthenticated('signed with an unknown key');
  try {
    const claims = jwt.verify(token, key, {
      algorithms: ['ES256'],
      issuer,
      audience,
      ignoreExpiration: true,
    });
    return readClaims(claims);
  } catch (error) {
    throw unauthenticated(error);
  }
}

function readClaims(claims: string | jwt.JwtPayload): Principal {
  if (typeof claims === 'string') throw new Error('the payload is not an object');
  const { sub, sid, role, jti, exp } = claims;
  const userId = Number(sub);
  const complete =
    Number.isSafeInteger(userId) && userId > 0 && Number.isSafeInteger(sid) && isRole(role) && jti && exp;
  if (!complete) throw new Error('a claim is missing');
  return { userId, sessionId: sid, role, tokenId: jti, expiresAt: exp };
}
