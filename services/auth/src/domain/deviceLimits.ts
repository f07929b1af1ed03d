import { AppError } from '@gradeway/shared/errors/appError';
import type { DeviceType } from './device.ts';

/** The most devices of one account (D10); 0 = no limit. */
export interface DeviceLimits extends Record<DeviceType, number> {
  total: number;
}

/** How many devices an account has, disabled ones not counted. */
export type DeviceCounts = Record<DeviceType, number>;

/** The device that logs in: what it is now, and what it was at its last login, if it has been here before. */
interface Arriving {
  type: DeviceType;
  knownAs: DeviceType | undefined;
}

/** Whether a limit is set that such a login could reach: only then need anybody count. */
export const isLimited = (limits: DeviceLimits, type: DeviceType): boolean =>
  limits.total > 0 || limits[type] > 0;

/**
 * Refuses a device for which there is no place. A known device keeps the place that it has, also when a limit was
 * lowered since; one that comes as another type needs a place among those.
 * @throws AppError 401, with the limit in the header `device_limit`
 */
export function requireWithinLimits(limits: DeviceLimits, counts: DeviceCounts, arriving: Arriving): void {
  const { type, knownAs } = arriving;
  const total = counts.web + counts.app + counts.desktop;
  if (knownAs === undefined && limits.total > 0 && total >= limits.total)
    throw limitReached('devices', `total=${limits.total}`);
  if (knownAs !== type && limits[type] > 0 && counts[type] >= limits[type])
    throw limitReached(`${type} devices`, `${type}=${limits[type]}`);
}

const limitReached = (what: string, limit: string) =>
  new AppError('unauthenticated', `You have reached the maximum number of ${what} allowed for login.`, {
    headers: { device_limit: limit },
  });
