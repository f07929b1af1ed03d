import { createTokenVerifier, type TokenRules, type VerifyToken } from '@gradeway/shared/auth/accessToken';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import type { SessionRepository } from '../data/sessionRepository.ts';

interface Options extends Omit<TokenRules, 'revocations'> {
  sessions: SessionRepository;
}

/**
 * Verifies tokens at auth itself. Where other processes go by the list of revocations, auth reads the session: what
 * has ended counts no more from the moment of its commit.
 */
export function verifyWithSession({ sessions, ...rules }: Options): VerifyToken {
  const verify = createTokenVerifier({ ...rules, revocations: { isRevoked: () => false } });
  return async (token) => {
    const principal = await verify(token);
    const session = await sessions.find(principal.sessionId);
    if (session?.tokenId !== principal.tokenId)
      throw unauthenticated('the session ended, or has a newer token');
    return principal;
  };
}
