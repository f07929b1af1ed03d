import { createTokenVerifier, type TokenRules, type VerifyToken } from '@gradeway/shared/auth/accessToken';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import type { SessionRepository } from '../data/sessionRepository.ts';
import type { KeyRing } from './keyRing.ts';

interface Options extends Omit<TokenRules, 'revocations'> {
  keys: KeyRing;
  sessions: SessionRepository;
}

/**
 * Verifies tokens in auth itself. Other processes check the revocation list; auth reads the session, so that a
 * revocation takes effect as soon as it is committed.
 */
export function createSessionTokenVerifier({ sessions, ...rules }: Options): VerifyToken {
  const { keys } = rules;
  const revocations = { isRevoked: ({ keyId = '' }) => keys.isRejected(keyId) };
  const verifyToken = createTokenVerifier({ ...rules, revocations });
  return async (token) => {
    const principal = await verifyToken(token);
    const session = principal.sessionId === null ? undefined : await sessions.find(principal.sessionId);
    if (session?.tokenId !== principal.tokenId)
      throw unauthenticated('the session ended or has a newer token');
    return principal;
  };
}
