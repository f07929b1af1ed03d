import type { User } from '../../domain/user.ts';
import type { ServiceAccount } from './serviceAccount.ts';

/** The state of an account that other services receive. */
export interface PublishedUser
  extends Pick<User, 'id' | 'firstName' | 'lastName' | 'email' | 'mobile' | 'isBlocked' | 'revision'> {
  role: User['role'] | 'service';
}

/** A service account represented as an account, with a role that no person has. */
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
