import { AppError } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../dependencies.ts';

/**
 * Rejects a change that would leave no active administrator. Call it while holding `lockAdministrators`: otherwise two
 * administrators could remove each other simultaneously.
 */
export async function requireAnotherAdministrator(
  users: ServiceDependencies['users'],
  transaction: Transaction,
): Promise<void> {
  const active = await users.countAdministrators({ includeBlocked: false }, transaction);
  if (active <= 1)
    throw new AppError(
      'conflict',
      'The last administrator cannot be deleted, blocked or given another role.',
      { reason: 'last_administrator' },
    );
}
