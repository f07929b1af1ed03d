import { verifySignature } from '@gradeway/shared/auth/accessToken';
import { requireScope } from '@gradeway/shared/auth/requireScope';
import { inTransaction } from '@gradeway/shared/database/connection';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../dependencies.ts';
import type { PreparedToken } from '../tokens/accessTokenIssuer.ts';
import { type EndSessionsDependencies, endSessions } from './endSessions.ts';
import type { Session } from './session.ts';

const graceMs = 30_000;

type Dependencies = EndSessionsDependencies &
  Pick<
    ServiceDependencies,
    'sequelize' | 'users' | 'revocations' | 'accessTokens' | 'tokenRules' | 'refreshWindowMs' | 'log'
  >;

export interface RefreshedToken {
  accessToken: string;
  expiresAt: Date;
}

/**
 * Exchanges a token, which may have expired within the refresh window, for a new one and revokes the old one (D12).
 * @throws AppError `unauthenticated`. A token that was already exchanged also ends its session, except within the grace
 * period of D52.
 */
export async function refreshSession(dependencies: Dependencies, presented: string): Promise<RefreshedToken> {
  const { sequelize, sessions, users, accessTokens, refreshWindowMs } = dependencies;
  const principal = await verifySignature(presented, dependencies.tokenRules);
  const { sessionId } = principal;
  requireScope(principal, 'POST', '/api/v3/token/refresh');
  if (sessionId === null) throw unauthenticated('not a session');
  if (principal.expiresAt * 1000 + refreshWindowMs <= Date.now())
    throw unauthenticated('the refresh window has passed');

  const refreshed = await inTransaction(sequelize, async (transaction) => {
    const session = await sessions.lock(sessionId, transaction);
    const token = session && (await exchangeToken(dependencies, session, principal.tokenId, transaction));
    const user = token && (await users.find(session.userId, transaction));
    return user && { token, user };
  });
  if (!refreshed) throw unauthenticated('the session ended');
  const { token, user } = refreshed;
  const subject = { userId: user.id, sessionId, role: user.role };
  return { accessToken: accessTokens.sign(token, subject), expiresAt: token.tokenExpiresAt };
}

/** Returns the token that the client receives. Undefined if the token was already exchanged, which ends its session. */
async function exchangeToken(
  dependencies: Dependencies,
  session: Session,
  presentedId: string,
  transaction: Transaction,
): Promise<PreparedToken | undefined> {
  if (session.tokenId === presentedId) return replaceToken(dependencies, session, transaction);
  if (isWithinGrace(session, presentedId, new Date())) return repeatToken(dependencies, session, transaction);
  // Two clients hold the token, and one of them may have stolen it (RFC 9700 §4.14.2). Returns instead of throwing,
  // because an error would roll back the end of the session.
  await endSessions(dependencies, { userId: session.userId, only: session.id }, transaction);
  const ids = { user_id: session.userId, session_id: session.id };
  dependencies.log.warn(ids, 'token reuse detected; session ended');
  return undefined;
}

async function replaceToken(
  { sessions, revocations, accessTokens }: Dependencies,
  session: Session,
  transaction: Transaction,
): Promise<PreparedToken> {
  const token = accessTokens.prepare();
  const { tokenId, tokenExpiresAt } = token;
  const replaced = { replacedTokenId: session.tokenId, replacedTokenUntil: new Date(Date.now() + graceMs) };
  await sessions.update(session.id, { tokenId, tokenExpiresAt, ...replaced }, transaction);
  await revocations.revokeToken(session.tokenId, session.tokenExpiresAt, transaction);
  return token;
}

/*
 * Returns the current token again instead of creating another. If two tabs refresh at once, either may store its
 * response last, and both tokens keep working.
 */
async function repeatToken(
  { sessions, accessTokens }: Dependencies,
  session: Session,
  transaction: Transaction,
): Promise<PreparedToken> {
  await sessions.update(session.id, { replacedTokenId: null, replacedTokenUntil: null }, transaction);
  return accessTokens.prepareAgain(session);
}

/** Whether the client may have missed the response to its refresh, or another tab refreshed at the same time (D52). */
function isWithinGrace(session: Session, presentedId: string, now: Date): boolean {
  const { replacedTokenId, replacedTokenUntil } = session;
  return replacedTokenId === presentedId && replacedTokenUntil !== null && now < replacedTokenUntil;
}
