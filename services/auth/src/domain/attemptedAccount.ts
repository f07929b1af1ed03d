import { hashLoginIdentifier, type LoginIdentifier } from './loginIdentifier.ts';
import type { User } from './user.ts';

/**
 * The key under which attempts are counted: the account, regardless of which identifier is used, or an
 * unknown identifier.
 */
export const attemptedAccount = (user: User | undefined, identifier: LoginIdentifier): string =>
  user ? String(user.id) : hashLoginIdentifier(identifier);
