import { type Principal, type TokenRules, verifySignature } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import type { Logger } from '@gradeway/shared/process/logger';
import type { Sequelize } from 'sequelize';
import type { RevocationRepository } from '../data/revocationRepository.ts';
import type { UserRepository } from '../data/userRepository.ts';
import type { AccessTokens } from '../tokens/accessTokenIssuer.ts';
import { endSessions, type SessionDependencies } from './endSessions.ts';
import type { User } from './user.ts';

interface Dependencies extends SessionDependencies {
  sequelize: Sequelize;
  users: UserRepository;
  revocations: RevocationRepository;
  tokens: AccessTokens;
  tokenRules: Omit<TokenRules, 'revocations'>;
  refreshWindowMs: number;
  log: Logger;
}

export interface RefreshedToken {
  accessToken: string;
  expiresAt: Date;
}

/**
 * Exchanges a token for a new one, also one that expired within the window (D12). The old one counts no more. One
 * that was exchanged before is in two hands, and nobody knows in whose: the whole session ends (RFC 9700 §4.14.2).
 */
export async function refreshSession(dependencies: Dependencies, presented: string): Promise<RefreshedToken> {
  const { sequelize, tokens, refreshWindowMs } = dependencies;
  const principal = await verifySignature(presented, dependencies.tokenRules);
  if (principal.expiresAt * 1000 + refreshWindowMs <= Date.now())
    throw unauthenticated('expired for too long');

  const token = tokens.next();
  const user = await inTransaction(sequelize, async (transaction) => {
    const session = await dependencies.sessions.lock(principal.sessionId, transaction);
    if (!session) return undefined;
    if (session.tokenId !== principal.tokenId) {
      // No error that would undo it: the session's end must be committed.
      await endSessions(dependencies, { userId: session.userId, only: session.id }, transaction);
      dependencies.log.warn(
        { user_id: session.userId, session_id: session.id },
        'a token was exchanged twice',
      );
      return undefined;
    }
    const { tokenId, tokenExpiresAt } = token;
    await dependencies.sessions.update(session.id, { tokenId, tokenExpiresAt }, transaction);
    await dependencies.revocations.addToken(principal.tokenId, session.tokenExpiresAt, transaction);
    return dependencies.users.find(session.userId, transaction);
  });
  if (!user) throw unauthenticated('the session ended');
  return {
    accessToken: tokens.sign(token, subjectOf(user, principal)),
    expiresAt: token.tokenExpiresAt,
  };
}

const subjectOf = ({ id, role }: User, { sessionId }: Principal) => ({ userId: id, sessionId, role });
