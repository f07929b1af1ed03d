import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Principal } from '@gradeway/shared/auth/accessToken';
import { notFound } from '@gradeway/shared/errors/appError';
import { protectAdministrators } from '../apiTokens/domain/protectAdministrators.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import type { Device } from './device.ts';
import { type EndSessionsDependencies, endSessions } from './endSessions.ts';
import { type LockedDeviceDependencies, withLockedDevice } from './withLockedDevice.ts';

type Dependencies = LockedDeviceDependencies & EndSessionsDependencies & Pick<ServiceDependencies, 'audit'>;

/** Disables a device, which logs it out, or re-enables it. */
export function setDeviceDisabled(
  dependencies: Dependencies,
  id: number,
  isDisabled: boolean,
  administrator: Principal,
): Promise<Device> {
  return withLockedDevice(dependencies, id, async (before, transaction, owner) => {
    protectAdministrators(administrator, owner.role);
    const { userId } = before;
    const device = await dependencies.devices.update(id, { isDisabled }, transaction);
    if (!device) throw notFound();
    if (isDisabled) await endSessions(dependencies, { userId, deviceId: id }, transaction);
    const action = isDisabled ? 'device.disabled' : 'device.enabled';
    const changes = changesOf(before, device, ['isDisabled']);
    if (changes)
      await dependencies.audit.record({ action, object: { type: 'device', id }, changes }, transaction);
    return device;
  });
}
