import { hashLoginIdentifier, type LoginIdentifier } from './loginIdentifier.ts';
import type { User } from './user.ts';

/** The key that attempts are counted under: the account, whichever identifier is used, or an unknown identifier. */
export const attemptedAccount = (user: User | undefined, identifier: LoginIdentifier): string =>
  user ? String(user.id) : hashLoginIdentifier(identifier);
