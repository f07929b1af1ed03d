import type { UserState } from '@gradeway/shared/events/catalog';
import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';

/** The data of a user event. */
export const userState = (change: Partial<UserState> = {}): UserState => ({
  user_id: 1,
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: null,
  role: 'user',
  is_blocked: false,
  revision: 2,
  ...change,
});

/** An event of auth about an account. */
export function userChanged(change: Partial<UserState> = {}): CloudEvent<'user.changed.v1'> {
  const state = userState(change);
  return createEvent('auth', 'user.changed.v1', `users/${state.user_id}`, state);
}
