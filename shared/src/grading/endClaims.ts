import type { EventHandler } from '../events/consumeEvents.ts';
import type { ClaimRepository } from './claimRepository.ts';

type UserHandlers = {
  'user.changed.v1': EventHandler<'user.changed.v1'>;
  'user.deleted.v1': EventHandler<'user.deleted.v1'>;
};

/** Handlers of auth's events that also end the claims of a person who may no longer grade. */
export const endingClaims = (
  handlers: UserHandlers,
  claims: Pick<ClaimRepository, 'endAll'>,
): UserHandlers => ({
  async 'user.changed.v1'(user, transaction) {
    await handlers['user.changed.v1'](user, transaction);
    const isGrader = user.role === 'admin' || user.role === 'instructor';
    if (user.is_blocked || !isGrader) await claims.endAll(user.user_id, transaction);
  },
  async 'user.deleted.v1'(user, transaction) {
    await handlers['user.deleted.v1'](user, transaction);
    await claims.endAll(user.user_id, transaction);
  },
});

/** Handler of the event of courses that an instructor grades in a course no more. */
export const onInstructorRemoved =
  (claims: Pick<ClaimRepository, 'endInCourse'>): EventHandler<'course.instructor.removed.v1'> =>
  ({ user_id, course_id }, transaction) =>
    claims.endInCourse(user_id, course_id, transaction);
