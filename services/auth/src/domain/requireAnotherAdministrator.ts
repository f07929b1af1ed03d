import { AppError } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { UserRepository } from '../data/userRepository.ts';

/**
 * Refuses what would leave nobody who can administer the school. Call it under `lockAdministrators`: two
 * administrators could otherwise remove each other at the same moment.
 */
export async function requireAnotherAdministrator(
  users: UserRepository,
  transaction: Transaction,
): Promise<void> {
  const active = await users.countAdministrators({ blocked: false }, transaction);
  if (active <= 1)
    throw new AppError(
      'conflict',
      'The last administrator cannot be deleted, blocked or given another role.',
    );
}
