import { inTransaction } from '@gradeway/shared/database/connection';
import type { ServiceDependencies } from '../dependencies.ts';
import { userChanged, userDeleted } from '../events/userEvents.ts';
import { type EndSessionsDependencies, endSessions } from './endSessions.ts';

type Dependencies = EndSessionsDependencies & Pick<ServiceDependencies, 'importDatabase' | 'imports'>;

/** Applies a reserved import in one transaction. Idempotent: if called repeatedly, it takes effect once. */
export async function completeImport(dependencies: Dependencies, importId: string): Promise<void> {
  const { importDatabase, imports, outbox } = dependencies;
  await inTransaction(importDatabase, async (transaction) => {
    const state = await imports.lock(importId, transaction);
    if (state === 'done') return;
    if (state !== 'reserved') throw new Error(`import ${importId} cannot be completed: it is not reserved`);

    for (const userId of await imports.findUsersToLogOut(importId, transaction))
      await endSessions(dependencies, { userId }, transaction);
    await imports.deleteAccess(importId, transaction);
    for await (const users of imports.activateUsers(importId, transaction))
      await outbox.addAll(users.map(userChanged), transaction);
    // The updates below use the addresses held by the remaining reservations.
    await imports.releaseReservations(importId, transaction);
    for await (const users of imports.updateUsers(importId, transaction))
      await outbox.addAll(users.map(userChanged), transaction);
    for await (const users of imports.eraseUsers(importId, transaction))
      await outbox.addAll(users.map(userDeleted), transaction);
    await imports.saveSourcedIds(importId, transaction);
    await imports.deletePlan(importId, transaction);
    await imports.setState(importId, 'done', transaction);
  });
}
