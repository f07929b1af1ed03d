import { createTokenVerifier, type TokenRules, type VerifyToken } from '@gradeway/shared/auth/accessToken';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import type { ApiTokenRepository } from '../apiTokens/data/apiTokenRepository.ts';
import type { SessionRepository } from '../data/sessionRepository.ts';
import type { KeyRing } from './keyRing.ts';

interface Options extends Omit<TokenRules, 'revocations'> {
  keys: KeyRing;
  sessions: SessionRepository;
  apiTokens: ApiTokenRepository;
}

/**
 * Verifies tokens in auth itself. Other processes check the revocation list; auth reads the session or the token, so
 * that a revocation takes effect as soon as it is committed.
 */
export function createStoredTokenVerifier({ sessions, apiTokens, ...rules }: Options): VerifyToken {
  const { keys } = rules;
  const revocations = { isRevoked: ({ keyId = '' }) => keys.isRejected(keyId) };
  const verifyToken = createTokenVerifier({ ...rules, revocations });
  return async (token) => {
    const principal = await verifyToken(token);
    const { sessionId, tokenId } = principal;
    const isCurrent =
      sessionId === null
        ? (await apiTokens.nameOf(tokenId)) !== undefined
        : (await sessions.find(sessionId))?.tokenId === tokenId;
    if (!isCurrent) throw unauthenticated('the session or token ended, or the session has a newer token');
    return principal;
  };
}
