import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';

/** Sessions of one account that ended before their time. */
export const sessionRevoked = (userId: number, sessionIds: number[]): CloudEvent =>
  createEvent('auth', 'session.revoked.v1', `users/${userId}`, {
    session_ids: sessionIds,
    revoked_at: new Date().toISOString(),
  });
