import type { UserState } from '@gradeway/shared/events/catalog';
import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import { type PublishedUser, publishedState } from '../apiTokens/domain/publishedState.ts';
import type { ServiceAccount } from '../apiTokens/domain/serviceAccount.ts';
import type { User } from '../domain/user.ts';

/** Published when an account is created or changed. */
export const userChanged = (user: User): CloudEvent =>
  createEvent('auth', 'user.changed.v1', `users/${user.id}`, userState(user));

/** Published when an account is deleted; its personal data is already erased. */
export const userDeleted = (erased: User): CloudEvent =>
  createEvent('auth', 'user.deleted.v1', `users/${erased.id}`, userState(erased));

/**
 * Published when a service account is created, changed or deleted. Other services project its name like a person's. A
 * deleted service account is blocked and keeps its name.
 */
export const serviceAccountChanged = (account: ServiceAccount): CloudEvent =>
  createEvent('auth', 'user.changed.v1', `users/${account.id}`, userState(publishedState(account)));

const userState = (user: PublishedUser): UserState => ({
  user_id: user.id,
  first_name: user.firstName,
  last_name: user.lastName,
  email: user.email,
  mobile: user.mobile,
  role: user.role,
  is_blocked: user.isBlocked,
  revision: user.revision,
});
