import type { UserState } from '@gradeway/shared/events/catalog';
import type { User } from '../domain/user.ts';

/** The data of an account that its events publish. */
export const userState = (user: User): UserState => ({
  user_id: user.id,
  first_name: user.firstName,
  last_name: user.lastName,
  email: user.email,
  mobile: user.mobile,
  role: user.role,
  is_blocked: user.isBlocked,
  revision: user.revision,
});
