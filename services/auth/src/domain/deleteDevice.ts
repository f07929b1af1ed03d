import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Principal } from '@gradeway/shared/auth/accessToken';
import { AppError, notFound } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import { protectAdministrators } from '../apiTokens/domain/protectAdministrators.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { Device } from './device.ts';
import { type EndSessionsDependencies, endSessions } from './endSessions.ts';
import { type LockedDeviceDependencies, withLockedDevice } from './withLockedDevice.ts';

type Dependencies = LockedDeviceDependencies & EndSessionsDependencies & Pick<ServiceDependencies, 'audit'>;

/** Deletes a device for an administrator. This logs it out and frees a slot of the account's device limit. */
export function deleteDevice(
  dependencies: Dependencies,
  id: number,
  administrator: Principal,
): Promise<void> {
  return withLockedDevice(dependencies, id, async (device, transaction, owner) => {
    protectAdministrators(administrator, owner.role);
    await deleteAndLogOut(dependencies, device, transaction);
  });
}

/** Deletes a device for its owner. Rejects a disabled device: the next login would register it again, enabled. */
export function deleteOwnDevice(dependencies: Dependencies, id: number, userId: number): Promise<void> {
  return withLockedDevice(dependencies, id, async (device, transaction) => {
    if (device.userId !== userId) throw notFound();
    if (device.isDisabled)
      throw new AppError('forbidden', 'Your device has been disabled, please contact admin.');
    await deleteAndLogOut(dependencies, device, transaction);
  });
}

async function deleteAndLogOut(
  dependencies: Dependencies,
  device: Device,
  transaction: Transaction,
): Promise<void> {
  const { id, userId } = device;
  await endSessions(dependencies, { userId, deviceId: id }, transaction);
  await dependencies.devices.delete(id, transaction);
  const changes = changesOf(device, null, ['userId', 'type', 'name']);
  await dependencies.audit.record(
    { action: 'device.deleted', object: { type: 'device', id }, changes },
    transaction,
  );
}
