import { randomUUID } from 'node:crypto';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../dependencies.ts';
import type { ClientDevice, Device } from './device.ts';
import { isLimited, requireWithinLimits } from './deviceLimits.ts';
import { deviceDisabled, deviceOfAnotherAccount } from './loginErrors.ts';
import type { User } from './user.ts';

type Dependencies = Pick<ServiceDependencies, 'devices' | 'devicePolicy' | 'audit'>;

/**
 * Checks the device of a login and registers it or updates its registration. Returns undefined for an app without a
 * token, which is not tracked (D9). The order of the checks determines which error a login returns (D8). The caller
 * holds the account lock, so that two simultaneous logins cannot both take the last slot.
 */
export async function registerDevice(
  { devices, devicePolicy, audit }: Dependencies,
  { id: userId, role }: Pick<User, 'id' | 'role'>,
  client: ClientDevice,
  transaction: Transaction,
): Promise<Device | undefined> {
  const { type, token, name, userAgent } = client;
  if (token === null && type !== 'web') return undefined;

  const { limits, singleAccount } = devicePolicy;
  const registered = token
    ? await devices.findByToken(userId, token, transaction)
    : await devices.findByUserAgent(userId, userAgent, transaction);
  if (registered?.isDisabled) throw deviceDisabled();
  if (singleAccount && token && (await devices.isUsedByAnotherAccount(token, userId, transaction)))
    throw deviceOfAnotherAccount();
  if (isLimited(limits, type)) {
    const counts = await devices.countActive(userId, transaction);
    requireWithinLimits(limits, counts, { type, previousType: registered?.type });
  }

  const lastLoginAt = new Date();
  if (registered) return devices.recordLogin(registered.id, { type, lastLoginAt, name }, transaction);
  const identity = token ? { token, userAgent: null } : { token: randomUUID(), userAgent };
  const created = await devices.create({ userId, type, name, lastLoginAt, ...identity }, transaction);
  const changes = changesOf(null, created, ['userId', 'type', 'name']);
  await audit.record(
    {
      action: 'device.registered',
      // The session is only opened afterwards.
      actor: { userId, sessionId: null, role },
      object: { type: 'device', id: created.id },
      changes,
    },
    transaction,
  );
  return created;
}
