import type { UserState } from '@gradeway/shared/events/catalog';
import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { User } from '../domain/user.ts';

/** A new or changed account. */
export const userChanged = (user: User): CloudEvent =>
  createEvent('auth', 'user.changed.v1', `users/${user.id}`, userState(user));

/** What others are told of an account. */
export const userState = (user: User): UserState => ({
  user_id: user.id,
  first_name: user.firstName,
  last_name: user.lastName,
  email: user.email,
  role: user.role,
  is_blocked: user.isBlocked,
  revision: user.revision,
});
