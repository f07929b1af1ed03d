import type { Principal } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid, notFound } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import { protectAdministrators } from '../apiTokens/domain/protectAdministrators.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { userChanged } from '../events/userEvents.ts';
import { auditUserChange } from './auditUser.ts';
import { rejectTakenContact, requireContactDetail } from './contactDetails.ts';
import { type EndSessionsDependencies, endSessions } from './endSessions.ts';
import { requireAnotherAdministrator } from './requireAnotherAdministrator.ts';
import {
  isSensitiveChange,
  type ReauthenticationDependencies,
  requireReauthentication,
} from './requireReauthentication.ts';
import { isActiveAdministrator, type User, type UserProperties } from './user.ts';

type Dependencies = EndSessionsDependencies &
  ReauthenticationDependencies &
  Pick<ServiceDependencies, 'sequelize' | 'users' | 'loginCodes' | 'passwordHasher' | 'audit'>;

export type UserChanges = Partial<UserProperties> & { password?: string };

/**
 * Changes the given properties of an account. Ends its sessions if its password, role or access changes (D13).
 * Administrators cannot set their own passwords here: that would replace the proof that a session belongs to its user.
 */
export async function changeUser(
  dependencies: Dependencies,
  id: number,
  { password, ...properties }: UserChanges,
  administrator: Principal,
): Promise<User> {
  const { sequelize, users, passwordHasher, outbox } = dependencies;
  if (password !== undefined && id === administrator.userId) throw ownPassword();
  const changes =
    password === undefined
      ? properties
      : { ...properties, passwordHash: await passwordHasher.hash(password), mustChangePassword: false };
  const mayRemoveAdministrator = properties.role !== undefined || properties.isBlocked !== undefined;

  return rejectTakenContact(() =>
    inTransaction(sequelize, async (transaction) => {
      if (mayRemoveAdministrator) await users.lockAdministrators(transaction);
      const before = await users.lock(id, transaction);
      if (!before) throw notFound();
      const wanted = { ...before, ...changes };
      protectAdministrators(administrator, before.role, wanted.role);
      requireContactDetail(wanted);
      if (isSensitiveChange(before, wanted))
        await requireReauthentication(dependencies, administrator, transaction);
      if (isActiveAdministrator(before) && !isActiveAdministrator(wanted))
        await requireAnotherAdministrator(users, transaction);
      if (!differ(before, wanted)) return before;

      const after = await users.update(before, changes, transaction);
      await revokeAccess(dependencies, before, after, transaction);
      await outbox.add(userChanged(after), transaction);
      await auditUserChange(dependencies.audit, before, after, transaction);
      return after;
    }),
  );
}

async function revokeAccess(
  dependencies: Dependencies,
  before: User,
  after: User,
  transaction: Transaction,
): Promise<void> {
  const endsSessions =
    before.passwordHash !== after.passwordHash ||
    before.role !== after.role ||
    (after.isBlocked && !before.isBlocked);
  const contactChanged = before.email !== after.email || before.mobile !== after.mobile;
  if (endsSessions) await endSessions(dependencies, { userId: after.id }, transaction);
  // A code sent to a previous address must no longer log in.
  if (endsSessions || contactChanged) await dependencies.loginCodes.deleteByUser(after.id, transaction);
}

const ownPassword = () =>
  invalid({ password: ['Your own password needs the current one: change it with PUT /api/v3/password.'] });

const differ = (before: User, wanted: User): boolean =>
  (Object.keys(wanted) as (keyof User)[]).some((name) => before[name] !== wanted[name]);
