import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Transaction } from 'sequelize';
import type { SessionRepository, SessionSelector } from '../data/sessionRepository.ts';
import { sessionRevoked } from '../events/sessionEvents.ts';

export interface EndSessionsDependencies {
  sessions: SessionRepository;
  outbox: Outbox;
}

/** Ends an account's sessions in the transaction of the change that causes it (D13), and returns their number. */
export async function endSessions(
  { sessions, outbox }: EndSessionsDependencies,
  selector: SessionSelector,
  transaction: Transaction,
): Promise<number> {
  const ended = await sessions.end(selector, transaction);
  if (ended.length > 0) await outbox.add(sessionRevoked(selector.userId, ended), transaction);
  return ended.length;
}
