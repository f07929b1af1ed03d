import { reauthenticationRequired } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { SessionRepository } from '../data/sessionRepository.ts';
import type { User } from './user.ts';

export interface ReauthenticationDependencies {
  sessions: SessionRepository;
  /** Whether sensitive changes need a session that re-authenticated (`REAUTHENTICATION`). */
  requiresReauthentication: boolean;
}

/** @throws AppError `forbidden` when the policy is on and the session has not re-authenticated within ten minutes */
export async function requireReauthentication(
  { sessions, requiresReauthentication }: ReauthenticationDependencies,
  sessionId: number,
  transaction?: Transaction,
): Promise<void> {
  if (requiresReauthentication && !(await sessions.isReauthenticated(sessionId, transaction)))
    throw reauthenticationRequired();
}

type Sensitive = Pick<User, 'role' | 'email' | 'mobile'>;

/** Whether a change makes an administrator, or changes where one-time codes are sent. */
export const isSensitiveChange = (before: Sensitive, after: Sensitive): boolean =>
  (after.role === 'admin' && before.role !== 'admin') ||
  before.email !== after.email ||
  before.mobile !== after.mobile;
