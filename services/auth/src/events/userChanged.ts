import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { User } from '../domain/user.ts';
import { userState } from './userState.ts';

/** Published when an account is created or changed. */
export const userChanged = (user: User): CloudEvent =>
  createEvent('auth', 'user.changed.v1', `users/${user.id}`, userState(user));
