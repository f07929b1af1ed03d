import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';

/** Published when an account's sessions end before their tokens expire. */
export const sessionRevoked = (userId: number, sessionIds: number[]): CloudEvent =>
  createEvent('auth', 'session.revoked.v1', `users/${userId}`, {
    session_ids: sessionIds,
    revoked_at: new Date().toISOString(),
  });
