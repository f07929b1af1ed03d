import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../dependencies.ts';
import type { Device } from './device.ts';
import type { User } from './user.ts';

export type LockedDeviceDependencies = Pick<ServiceDependencies, 'sequelize' | 'users' | 'devices'>;

/**
 * Runs `work` on a device while its owner's account is locked, so that no login on the device is in progress.
 * @throws AppError `not_found` if the device or its owner does not exist
 */
export async function withLockedDevice<T>(
  { sequelize, users, devices }: LockedDeviceDependencies,
  id: number,
  work: (device: Device, transaction: Transaction, owner: User) => Promise<T>,
): Promise<T> {
  return inTransaction(sequelize, async (transaction) => {
    const found = await devices.find(id, transaction);
    const owner = found && (await users.lock(found.userId, transaction));
    if (!owner) throw notFound();
    const device = await devices.find(id, transaction);
    if (!device) throw notFound();
    return work(device, transaction, owner);
  });
}
