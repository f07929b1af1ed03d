import { inTransaction } from '@gradeway/shared/database/connection';
import { isDuplicate } from '@gradeway/shared/database/errors';
import type { Sequelize } from 'sequelize';
import type { ImportRepository } from '../data/importRepository.ts';
import { userChanged } from '../events/userChanged.ts';
import { userDeleted } from '../events/userDeleted.ts';
import { endSessions, type SessionDependencies } from './endSessions.ts';

interface Dependencies {
  sequelize: Sequelize;
  imports: ImportRepository;
}

/**
 * Makes sure that a planned import can be completed at any later time; nobody sees anything of it yet. False, and
 * nothing is reserved, when an account is not what it was, an address is taken, or the plan has been forgotten.
 */
export async function reserveImport(
  { sequelize, imports }: Dependencies,
  importId: string,
): Promise<boolean> {
  try {
    return await inTransaction(sequelize, async (transaction) => {
      const state = await imports.lock(importId, transaction);
      if (state !== 'planned') return state !== undefined;
      if (!(await imports.isCurrent(importId, transaction))) return false;
      await imports.reserve(importId, transaction);
      await imports.setState(importId, 'reserved', transaction);
      return true;
    });
  } catch (error) {
    if (isDuplicate(error, 'users_email') || isDuplicate(error, 'users_mobile')) return false;
    throw error;
  }
}

/** Takes back what `reserveImport` did. One that runs at this moment is waited for, and taken back as well. */
export function releaseImport({ sequelize, imports }: Dependencies, importId: string): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    if ((await imports.lock(importId, transaction)) !== 'reserved') return;
    await imports.free(importId, transaction);
    await imports.setState(importId, 'planned', transaction);
  });
}

/** Makes the accounts of a reserved import real, all at once. Of several calls one does it. */
export function completeImport(
  dependencies: Dependencies & SessionDependencies,
  importId: string,
): Promise<void> {
  const { sequelize, imports, outbox } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const state = await imports.lock(importId, transaction);
    if (state === 'done') return;
    if (state !== 'reserved') throw new Error(`import ${importId} is to be completed but was not reserved`);

    for (const userId of await imports.loggedIn(importId, transaction))
      await endSessions(dependencies, { userId }, transaction);
    await imports.forgetAccess(importId, transaction);
    for await (const users of imports.create(importId, transaction))
      await outbox.addAll(users.map(userChanged), transaction);
    // The addresses that accounts take now are free for them from here on.
    await imports.free(importId, transaction);
    for await (const users of imports.change(importId, transaction))
      await outbox.addAll(users.map(userChanged), transaction);
    for await (const users of imports.erase(importId, transaction))
      await outbox.addAll(users.map(userDeleted), transaction);
    await imports.putSources(importId, transaction);
    await imports.clearPlan(importId, transaction);
    await imports.setState(importId, 'done', transaction);
  });
}
