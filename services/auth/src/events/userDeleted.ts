import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { User } from '../domain/user.ts';
import { userState } from './userState.ts';

/** Published when an account is deleted; its personal data is already erased. */
export const userDeleted = (erased: User): CloudEvent =>
  createEvent('auth', 'user.deleted.v1', `users/${erased.id}`, userState(erased));
