import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../dependencies.ts';
import { sessionRevoked } from '../events/sessionEvents.ts';
import type { SessionSelector } from './session.ts';

export type EndSessionsDependencies = Pick<ServiceDependencies, 'sessions' | 'outbox'>;

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
