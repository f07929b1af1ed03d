import { inTransaction } from '@gradeway/shared/database/connection';
import type { Sequelize } from 'sequelize';
import type { ImportRepository } from '../data/importRepository.ts';

interface Dependencies {
  importDatabase: Sequelize;
  imports: ImportRepository;
}

/** Undoes `reserveImport`. If a reservation is still in progress, waits for it and undoes it too. */
export function releaseImport({ importDatabase, imports }: Dependencies, importId: string): Promise<void> {
  return inTransaction(importDatabase, async (transaction) => {
    if ((await imports.lock(importId, transaction)) !== 'reserved') return;
    await imports.releaseReservations(importId, transaction);
    await imports.setState(importId, 'planned', transaction);
  });
}
