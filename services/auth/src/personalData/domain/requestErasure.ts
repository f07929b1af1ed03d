import type { Principal } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import { protectAdministrators } from '../../apiTokens/domain/protectAdministrators.ts';
import { type DeleteUserDependencies, deleteAccount } from '../../domain/deleteUser.ts';
import type { PersonalDataDependencies } from '../dependencies.ts';
import type { Erasure } from './erasure.ts';

type Dependencies = DeleteUserDependencies &
  Pick<PersonalDataDependencies, 'erasures' | 'keepsGrades' | 'wakeWorker'>;

/**
 * Deletes an account, unless it is already deleted, and records that every service has to erase the person. A repeated
 * call returns the existing erasure.
 */
export function requestErasure(
  dependencies: Dependencies,
  userId: number,
  requestedBy: Principal,
): Promise<Erasure> {
  const { sequelize, users, erasures, keepsGrades, wakeWorker, audit } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    // This lock also makes simultaneous requests wait for each other.
    await users.lockAdministrators(transaction);
    const earlier = await erasures.find(userId, transaction);
    if (earlier) return earlier;

    const account = await users.lock(userId, transaction);
    if (!account && !(await erasures.isAccountDeleted(userId, transaction))) throw notFound();
    if (account) protectAdministrators(requestedBy, account.role);
    const email = account?.email ?? null;
    if (account) await deleteAccount(dependencies, account, transaction);
    transaction.afterCommit(wakeWorker);
    await audit.record({ action: 'person.erased', object: { type: 'user', id: userId } }, transaction);
    return erasures.add({ userId, keepsGrades, requestedBy: requestedBy.userId, email }, transaction);
  });
}
