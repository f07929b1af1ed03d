import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Transaction } from 'sequelize';
import type { SessionChoice, SessionRepository } from '../data/sessionRepository.ts';
import { sessionRevoked } from '../events/sessionRevoked.ts';

export interface SessionDependencies {
  sessions: SessionRepository;
  outbox: Outbox;
}

/** Ends sessions of an account, in the transaction of what ends them (D13). */
export async function endSessions(
  { sessions, outbox }: SessionDependencies,
  choice: SessionChoice,
  transaction: Transaction,
): Promise<void> {
  const ended = await sessions.end(choice, transaction);
  if (ended.length > 0) await outbox.add(sessionRevoked(choice.userId, ended), transaction);
}
