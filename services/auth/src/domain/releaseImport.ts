import { inTransaction } from '@gradeway/shared/database/connection';
import type { ServiceDependencies } from '../dependencies.ts';

type Dependencies = Pick<ServiceDependencies, 'importDatabase' | 'imports'>;

/** Undoes `reserveImport`. If a reservation is still in progress, waits for it and undoes it too. */
export function releaseImport({ importDatabase, imports }: Dependencies, importId: string): Promise<void> {
  return inTransaction(importDatabase, async (transaction) => {
    if ((await imports.lock(importId, transaction)) !== 'reserved') return;
    await imports.releaseReservations(importId, transaction);
    await imports.setState(importId, 'planned', transaction);
  });
}
