import { AppError, notFound } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { Device } from './device.ts';
import { type EndSessionsDependencies, endSessions } from './endSessions.ts';
import { type LockedDeviceDependencies, withLockedDevice } from './withLockedDevice.ts';

type Dependencies = LockedDeviceDependencies & EndSessionsDependencies;

/** Deletes a device for an administrator. This logs it out and frees a slot of the account's device limit. */
export function deleteDevice(dependencies: Dependencies, id: number): Promise<void> {
  return withLockedDevice(dependencies, id, (device, transaction) =>
    deleteAndLogOut(dependencies, device, transaction),
  );
}

/** Deletes a device for its owner. A disabled one is refused: the next login would register it again, enabled. */
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
  { id, userId }: Device,
  transaction: Transaction,
): Promise<void> {
  await endSessions(dependencies, { userId, deviceId: id }, transaction);
  await dependencies.devices.delete(id, transaction);
}
