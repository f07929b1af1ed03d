import { AppError } from '@gradeway/shared/errors/appError';
import type { DeviceType } from './device.ts';

/** Maximum number of devices of one account (D10); 0 = no limit. */
export interface DeviceLimits extends Record<DeviceType, number> {
  total: number;
}

export interface DevicePolicy {
  limits: DeviceLimits;
  /** Whether a device may be used with only one account (D10). */
  singleAccount: boolean;
}

/** An account's number of enabled devices by type. */
export type DeviceCounts = Record<DeviceType, number>;

interface LoginDevice {
  type: DeviceType;
  /** Its type at the previous login; undefined for a new device. */
  previousType: DeviceType | undefined;
}

/** A login refused because of a device limit. `limit` is the limit that was reached, such as `web=2`. */
export class DeviceLimitReached extends AppError {
  readonly limit: string;

  constructor(devices: string, limit: string) {
    super('unauthenticated', `You have reached the maximum number of ${devices} allowed for login.`, {
      reason: 'device_limit_reached',
    });
    this.limit = limit;
  }
}

/** Whether a limit applies to logins on this type of device. If not, the devices do not have to be counted. */
export const isLimited = (limits: DeviceLimits, type: DeviceType): boolean =>
  limits.total > 0 || limits[type] > 0;

/**
 * Enforces the limits for a login. A registered device keeps its slot even if a limit was lowered since. If it changes
 * its type, it needs a slot of the new type.
 * @throws DeviceLimitReached
 */
export function requireWithinLimits(limits: DeviceLimits, counts: DeviceCounts, device: LoginDevice): void {
  const { type, previousType } = device;
  const total = counts.web + counts.app + counts.desktop;
  if (previousType === undefined && limits.total > 0 && total >= limits.total)
    throw new DeviceLimitReached('devices', `total=${limits.total}`);
  if (previousType !== type && limits[type] > 0 && counts[type] >= limits[type])
    throw new DeviceLimitReached(`${type} devices`, `${type}=${limits[type]}`);
}
