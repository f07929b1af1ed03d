import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { DeviceRepository } from '../data/deviceRepository.ts';
import type { Client, Device } from './device.ts';
import { type DeviceLimits, isLimited, requireWithinLimits } from './deviceLimits.ts';
import { anotherAccountsDevice, deviceDisabled } from './loginErrors.ts';

export interface DeviceRules {
  limits: DeviceLimits;
  /** Whether a device may be used with one account only (D10). */
  singleAccount: boolean;
}

interface Dependencies {
  devices: DeviceRepository;
  deviceRules: DeviceRules;
}

/**
 * Lets the device of a login in and keeps track of it; undefined for an app without a token, which is not tracked
 * (D9). The order of the checks is the order of the answers (D8). The account is locked by then: of two devices
 * that want its last place one gets it.
 */
export async function admitDevice(
  { devices, deviceRules }: Dependencies,
  userId: number,
  client: Client,
  transaction: Transaction,
): Promise<Device | undefined> {
  const { type, token, name, userAgent } = client;
  if (token === null && type !== 'web') return undefined;

  const known = token
    ? await devices.findByToken(userId, token, transaction)
    : await devices.findByUserAgent(userId, userAgent, transaction);
  if (known?.isDisabled) throw deviceDisabled();
  if (deviceRules.singleAccount && token && (await devices.belongsToAnother(token, userId, transaction)))
    throw anotherAccountsDevice();
  if (isLimited(deviceRules.limits, type)) {
    const counts = await devices.count(userId, transaction);
    requireWithinLimits(deviceRules.limits, counts, { type, knownAs: known?.type });
  }

  const lastLoginAt = new Date();
  if (known) {
    const seen = { type, lastLoginAt, ...(name === null ? {} : { name }) };
    return devices.update(known.id, seen, transaction);
  }
  const identity = token ? { token, userAgent: null } : { token: randomUUID(), userAgent };
  return devices.create({ userId, type, name, lastLoginAt, ...identity }, transaction);
}
