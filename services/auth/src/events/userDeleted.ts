import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { User } from '../domain/user.ts';
import { userState } from './userChanged.ts';

/** A deleted account, of which nothing personal is left. */
export const userDeleted = (erased: User): CloudEvent =>
  createEvent('auth', 'user.deleted.v1', `users/${erased.id}`, userState(erased));
