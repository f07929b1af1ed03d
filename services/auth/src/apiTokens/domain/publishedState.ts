import type { User } from '../../domain/user.ts';
import type { ServiceAccount } from './serviceAccount.ts';

/** What other services know of an account. */
export interface PublishedUser
  extends Pick<User, 'id' | 'firstName' | 'lastName' | 'email' | 'mobile' | 'isBlocked' | 'revision'> {
  role: User['role'] | 'service';
}

/** A service account in the form of an account, with a role that no account has. */
export const publishedState = (account: ServiceAccount): PublishedUser => ({
  id: account.id,
  firstName: account.name,
  lastName: '',
  email: null,
  mobile: null,
  role: 'service',
  isBlocked: account.isDisabled || account.isDeleted,
  revision: account.revision,
});
