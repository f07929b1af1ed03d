import { inTransaction } from '@gradeway/shared/database/connection';
import { AppError, notFound } from '@gradeway/shared/errors/appError';
import type { Sequelize, Transaction } from 'sequelize';
import type { DeviceRepository } from '../data/deviceRepository.ts';
import type { UserRepository } from '../data/userRepository.ts';
import type { Device } from './device.ts';
import { endSessions, type SessionDependencies } from './endSessions.ts';

interface Dependencies extends SessionDependencies {
  sequelize: Sequelize;
  users: UserRepository;
  devices: DeviceRepository;
}

/** Disables a device, which logs it out, or lets it be used again. */
export function setDeviceDisabled(
  dependencies: Dependencies,
  id: number,
  isDisabled: boolean,
): Promise<Device> {
  return withDevice(dependencies, id, async ({ userId }, transaction) => {
    const device = await dependencies.devices.update(id, { isDisabled }, transaction);
    if (!device) throw notFound();
    if (isDisabled) await endSessions(dependencies, { userId, deviceId: id }, transaction);
    return device;
  });
}

/** Deletes a device, which logs it out and frees its place among the account's devices. */
export function deleteDevice(dependencies: Dependencies, id: number): Promise<void> {
  return withDevice(dependencies, id, async (device, transaction) => {
    await remove(dependencies, device, transaction);
  });
}

/** The same for its owner. One that an administrator disabled stays: it would come back as a new one. */
export function deleteOwnDevice(dependencies: Dependencies, id: number, userId: number): Promise<void> {
  return withDevice(dependencies, id, async (device, transaction) => {
    if (device.userId !== userId) throw notFound();
    if (device.isDisabled)
      throw new AppError('forbidden', 'Your device has been disabled, please contact admin.');
    await remove(dependencies, device, transaction);
  });
}

async function remove(
  dependencies: Dependencies,
  { id, userId }: Device,
  transaction: Transaction,
): Promise<void> {
  await endSessions(dependencies, { userId, deviceId: id }, transaction);
  await dependencies.devices.delete(id, transaction);
}

// The owner's account is locked: no login on this device is half done meanwhile.
async function withDevice<T>(
  { sequelize, users, devices }: Dependencies,
  id: number,
  work: (device: Device, transaction: Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(sequelize, async (transaction) => {
    const found = await devices.find(id, transaction);
    if (!found || !(await users.lock(found.userId, transaction))) throw notFound();
    const device = await devices.find(id, transaction);
    if (!device) throw notFound();
    return work(device, transaction);
  });
}
