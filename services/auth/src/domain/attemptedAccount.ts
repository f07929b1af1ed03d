import type { KnownSource } from '../data/knownSourceRepository.ts';
import type { ClientDevice } from './device.ts';
import { hashLoginIdentifier, type LoginIdentifier } from './loginIdentifier.ts';
import type { User } from './user.ts';

/** What attempts are counted for: an account, whichever of its identifiers is used, or an unknown identifier. */
export const attemptedAccount = (user: User | undefined, identifier: LoginIdentifier): string =>
  user ? String(user.id) : hashLoginIdentifier(identifier);

/**
 * What failed logins are counted for (D50): a device or a network that has logged in to the account each by itself, all
 * others together. Guessing elsewhere therefore never locks the owner out. A known device goes before a known network,
 * which it may share with a guesser.
 */
export function failedLoginKey(
  account: string,
  { deviceId, isKnownNetwork }: KnownSource,
  { network }: ClientDevice,
): string {
  if (deviceId !== null) return `${account} device ${deviceId}`;
  return isKnownNetwork ? `${account} network ${network}` : account;
}
