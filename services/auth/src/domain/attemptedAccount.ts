import { hashLoginIdentifier, type LoginIdentifier } from './loginIdentifier.ts';
import type { User } from './user.ts';

/** What attempts are counted for: an account, whichever of its identifiers is used, or an unknown identifier. */
export const attemptedAccount = (user: User | undefined, identifier: LoginIdentifier): string =>
  user ? String(user.id) : hashLoginIdentifier(identifier);
