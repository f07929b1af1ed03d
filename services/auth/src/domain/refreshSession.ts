import { type Principal, type TokenRules, verifySignature } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import type { Logger } from '@gradeway/shared/process/logger';
import type { Sequelize } from 'sequelize';
import type { RevocationRepository } from '../data/revocationRepository.ts';
import type { UserRepository } from '../data/userRepository.ts';
import type { AccessTokenIssuer, PreparedToken } from '../tokens/accessTokenIssuer.ts';
import { type EndSessionsDependencies, endSessions } from './endSessions.ts';
import type { User } from './user.ts';

interface Dependencies extends EndSessionsDependencies {
  sequelize: Sequelize;
  users: UserRepository;
  revocations: RevocationRepository;
  accessTokens: AccessTokenIssuer;
  tokenRules: Omit<TokenRules, 'revocations'>;
  refreshWindowMs: number;
  log: Logger;
}

export interface RefreshedToken {
  accessToken: string;
  expiresAt: Date;
}

/**
 * Exchanges a token, which may have expired within the refresh window, for a new one and revokes the old one (D12).
 * @throws AppError `unauthenticated`; a token that was already exchanged also ends its session
 */
export async function refreshSession(dependencies: Dependencies, presented: string): Promise<RefreshedToken> {
  const { accessTokens, refreshWindowMs } = dependencies;
  const principal = await verifySignature(presented, dependencies.tokenRules);
  if (principal.expiresAt * 1000 + refreshWindowMs <= Date.now())
    throw unauthenticated('the refresh window has passed');

  const token = accessTokens.prepare();
  const user = await replaceToken(dependencies, principal, token);
  if (!user) throw unauthenticated('the session ended');
  const subject = { userId: user.id, sessionId: principal.sessionId, role: user.role };
  return { accessToken: accessTokens.sign(token, subject), expiresAt: token.tokenExpiresAt };
}

async function replaceToken(
  dependencies: Dependencies,
  principal: Principal,
  { tokenId, tokenExpiresAt }: PreparedToken,
): Promise<User | undefined> {
  const { sequelize, sessions, revocations, users, log } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const session = await sessions.lock(principal.sessionId, transaction);
    if (!session) return undefined;
    if (session.tokenId !== principal.tokenId) {
      // Two clients hold the token, and one of them may have stolen it (RFC 9700 §4.14.2). Return instead of
      // throwing: an error would roll back the end of the session.
      await endSessions(dependencies, { userId: session.userId, only: session.id }, transaction);
      log.warn({ user_id: session.userId, session_id: session.id }, 'token reuse detected; session ended');
      return undefined;
    }
    await sessions.update(session.id, { tokenId, tokenExpiresAt }, transaction);
    await revocations.revokeToken(principal.tokenId, session.tokenExpiresAt, transaction);
    return users.find(session.userId, transaction);
  });
}
