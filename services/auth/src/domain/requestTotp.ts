import type { Principal } from '@gradeway/shared/auth/accessToken';
import { AppError, unauthenticated } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../dependencies.ts';
import type { SecondFactorDependencies } from './secondFactor.ts';
import { generateTotpSecret, totpUrl } from './totp.ts';

type Dependencies = SecondFactorDependencies & Pick<ServiceDependencies, 'users'>;

export interface RequestedTotp {
  /** Base32. */
  secret: string;
  url: string;
}

/**
 * Generates the secret of a second factor. Logins require the factor only once it is confirmed; until then, another
 * request replaces the secret.
 * @throws AppError `conflict` if the account has a confirmed factor: replacing it requires one of its codes
 */
export async function requestTotp(
  { users, totpFactors, totpSecretCipher }: Dependencies,
  { userId }: Principal,
): Promise<RequestedTotp> {
  const user = await users.find(userId);
  if (!user) throw unauthenticated('the account is deleted');
  const secret = generateTotpSecret();
  if (!(await totpFactors.savePending(userId, await totpSecretCipher.encrypt(secret, userId))))
    throw new AppError('conflict', 'Second factor already enabled', { reason: 'second_factor_enabled' });
  return { secret, url: totpUrl(secret, user.email ?? user.mobile ?? String(userId)) };
}
