import { notFound } from '@gradeway/shared/errors/appError';
import type { Device } from './device.ts';
import { type EndSessionsDependencies, endSessions } from './endSessions.ts';
import { type LockedDeviceDependencies, withLockedDevice } from './withLockedDevice.ts';

type Dependencies = LockedDeviceDependencies & EndSessionsDependencies;

/** Disables a device, which logs it out, or enables it again. */
export function setDeviceDisabled(
  dependencies: Dependencies,
  id: number,
  isDisabled: boolean,
): Promise<Device> {
  return withLockedDevice(dependencies, id, async ({ userId }, transaction) => {
    const device = await dependencies.devices.update(id, { isDisabled }, transaction);
    if (!device) throw notFound();
    if (isDisabled) await endSessions(dependencies, { userId, deviceId: id }, transaction);
    return device;
  });
}
