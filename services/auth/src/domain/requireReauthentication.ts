import type { Principal } from '@gradeway/shared/auth/accessToken';
import { reauthenticationRequired } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../dependencies.ts';
import type { User } from './user.ts';

export type ReauthenticationDependencies = Pick<ServiceDependencies, 'sessions' | 'requiresReauthentication'>;

/** @throws AppError `forbidden` if the policy is on and the session has not re-authenticated within ten minutes */
export async function requireReauthentication(
  dependencies: ReauthenticationDependencies,
  principal: Pick<Principal, 'sessionId'>,
  transaction?: Transaction,
): Promise<void> {
  if (await lacksReauthentication(dependencies, principal, transaction)) throw reauthenticationRequired();
}

/** A token for programs cannot re-authenticate; its scopes limit it instead. */
export async function lacksReauthentication(
  { sessions, requiresReauthentication }: ReauthenticationDependencies,
  { sessionId }: Pick<Principal, 'sessionId'>,
  transaction?: Transaction,
): Promise<boolean> {
  if (!requiresReauthentication || sessionId === null) return false;
  return !(await sessions.isReauthenticated(sessionId, transaction));
}

type Sensitive = Pick<User, 'role' | 'email' | 'mobile' | 'passwordHash'>;

/** Whether a change affects what an account may do, or how users log in (D59). */
export const isSensitiveChange = (before: Sensitive, after: Sensitive): boolean =>
  before.role !== after.role ||
  before.email !== after.email ||
  before.mobile !== after.mobile ||
  before.passwordHash !== after.passwordHash;
