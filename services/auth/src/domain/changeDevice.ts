import { AppError, notFound } from '@gradeway/shared/appError';
import { inTransaction } from '@gradeway/shared/database';
import type { Sequelize, Transaction } from 'sequelize';
import type { DeviceRepository } from '../data/deviceRepository.ts';
import type { UserRepository } from '../data/userRepository.ts';
import type { Device } from './device.ts';
import { endSessions, type SessionParts } from './endSessions.ts';

interface Parts extends SessionParts {
  sequelize: Sequelize;
  users: UserRepository;
  devices: DeviceRepository;
}

/** Disables a device, which logs it out, or lets it be used again. */
export function setDeviceDisabled(parts: Parts, id: number, isDisabled: boolean): Promise<Device> {
  return withDevice(parts, id, async ({ userId }, transaction) => {
    const device = await parts.devices.update(id, { isDisabled }, transaction);
    if (!device) throw notFound();
    if (isDisabled) await endSessions(parts, { userId, deviceId: id }, transaction);
    return device;
  });
}

/** Deletes a device, which logs it out and frees its place among the account's devices. */
export function deleteDevice(parts: Parts, id: number): Promise<void> {
  return withDevice(parts, id, async (device, transaction) => {
    await remove(parts, device, transaction);
  });
}

/** The same for its owner. One that an administrator disabled stays: it would come back as a new one. */
export function deleteOwnDevice(parts: Parts, id: number, userId: number): Promise<void> {
  return withDevice(parts, id, async (device, transaction) => {
    if (device.userId !== userId) throw notFound();
    if (device.isDisabled)
      throw new AppError('forbidden', 'Your device has been disabled, please contact admin.');
    await remove(parts, device, transaction);
  });
}

async function remove(parts: Parts, { id, userId }: Device, transaction: Transaction): Promise<void> {
  await endSessions(parts, { userId, deviceId: id }, transaction);
  await parts.devices.delete(id, transaction);
}

// The owner's account is locked: no login on this device is half done meanwhile.
async function withDevice<T>(
  { sequelize, users, devices }: Parts,
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
