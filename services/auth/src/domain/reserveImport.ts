import { inTransaction } from '@gradeway/shared/database/connection';
import { isUniqueViolation } from '@gradeway/shared/database/errors';
import type { ServiceDependencies } from '../dependencies.ts';

type Dependencies = Pick<ServiceDependencies, 'importDatabase' | 'imports'>;

/**
 * Reserves accounts and addresses so that a planned import can be completed at any later time. No change is visible
 * yet. Returns false and reserves nothing if an account has changed since planning, an address is taken or the plan has
 * been purged.
 */
export async function reserveImport(
  { importDatabase, imports }: Dependencies,
  importId: string,
): Promise<boolean> {
  try {
    return await inTransaction(importDatabase, async (transaction) => {
      const state = await imports.lock(importId, transaction);
      if (state !== 'planned') return state !== undefined;
      if (!(await imports.isPlanCurrent(importId, transaction))) return false;
      await imports.reserve(importId, transaction);
      await imports.setState(importId, 'reserved', transaction);
      return true;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'users_email') || isUniqueViolation(error, 'users_mobile')) return false;
    throw error;
  }
}
