import type { Principal } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import { protectAdministrators } from '../apiTokens/domain/protectAdministrators.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { userDeleted } from '../events/userEvents.ts';
import { type EndSessionsDependencies, endSessions } from './endSessions.ts';
import { requireAnotherAdministrator } from './requireAnotherAdministrator.ts';
import { isActiveAdministrator, type User } from './user.ts';

export type DeleteUserDependencies = EndSessionsDependencies &
  Pick<ServiceDependencies, 'sequelize' | 'users' | 'devices' | 'knownSources' | 'loginCodes' | 'audit'>;

/**
 * Deletes an account with its sessions, devices and personal data. Its address and number become available again.
 * @param by the caller; undefined if the system deletes the account
 */
export async function deleteUser(
  dependencies: DeleteUserDependencies,
  id: number,
  by?: Principal,
): Promise<void> {
  const { sequelize, users } = dependencies;
  await inTransaction(sequelize, async (transaction) => {
    await users.lockAdministrators(transaction);
    const before = await users.lock(id, transaction);
    if (!before) throw notFound();
    if (by) protectAdministrators(by, before.role);
    await deleteAccount(dependencies, before, transaction);
  });
}

/** Deletes a locked account. The transaction must already have locked the administrators. */
export async function deleteAccount(
  dependencies: DeleteUserDependencies,
  before: User,
  transaction: Transaction,
): Promise<void> {
  const { users, devices, knownSources, loginCodes, outbox, audit } = dependencies;
  const { id } = before;
  if (isActiveAdministrator(before)) await requireAnotherAdministrator(users, transaction);
  await endSessions(dependencies, { userId: id }, transaction);
  await devices.deleteByUser(id, transaction);
  await knownSources.deleteByUser(id, transaction);
  await loginCodes.deleteByUser(id, transaction);
  const erased = await users.erase(before, transaction);
  await outbox.add(userDeleted(erased), transaction);
  // Omits the values, because they are erased.
  await audit.record({ action: 'user.deleted', object: { type: 'user', id } }, transaction);
}
