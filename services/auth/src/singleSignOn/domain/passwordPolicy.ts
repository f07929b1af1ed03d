import { AppError } from '@gradeway/shared/errors/appError';
import type { LoginIdentifier } from '../../domain/loginIdentifier.ts';
import type { User } from '../../domain/user.ts';
import type { ProviderSettings } from '../config.ts';
import { mailDomain } from './mailDomain.ts';

type Account = Pick<User, 'email' | 'role'>;

/** Determines which accounts must sign in with a provider (`PASSWORD_LOGIN`). */
export interface PasswordPolicy {
  /** Whether an account can use neither a password nor one-time codes. */
  refuses(account: Account): boolean;
  /**
   * Whether an address is in a provider's domain. Every refused login with such an address has the same message, so
   * that the message does not reveal whether an account exists or which kind it is.
   */
  refersToProvider(identifier: LoginIdentifier): boolean;
}

export function createPasswordPolicy({
  oidcProviders,
  allowsPasswords,
}: {
  oidcProviders: Pick<ProviderSettings, 'domains'>[];
  allowsPasswords: boolean;
}): PasswordPolicy {
  const domains = new Set(allowsPasswords ? [] : oidcProviders.flatMap((provider) => provider.domains));
  const includes = (email: string | null) => email !== null && domains.has(mailDomain(email));
  return {
    refuses: ({ email, role }) => role !== 'admin' && includes(email),
    refersToProvider: ({ kind, value }) => kind === 'email' && includes(value),
  };
}

export const useSingleSignOn = () => new AppError('unauthenticated', 'Use single sign-on.');
