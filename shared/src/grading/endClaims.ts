import type { BatchHandler, EventHandler } from '../events/consumeEvents.ts';
import type { UserProjection } from '../projections/userProjection.ts';
import type { ClaimRepository } from './claimRepository.ts';

interface UserHandlers {
  'user.changed.v1': BatchHandler<'user.changed.v1'>;
  'user.deleted.v1': EventHandler<'user.deleted.v1'>;
}

/** Handlers of auth's events: they update names, and end the claims of people who may no longer grade. */
export const userHandlers = (
  userProjection: UserProjection,
  claims: Pick<ClaimRepository, 'endAll'>,
): UserHandlers => ({
  'user.changed.v1': {
    async applyAll(users, transaction) {
      await userProjection.applyChanges(users, transaction);
      const others = users.filter(
        ({ role, is_blocked }) => is_blocked || (role !== 'admin' && role !== 'instructor'),
      );
      await claims.endAll(
        others.map(({ user_id }) => user_id),
        transaction,
      );
    },
  },
  async 'user.deleted.v1'(user, transaction) {
    await userProjection.applyDeletion(user, transaction);
    await claims.endAll([user.user_id], transaction);
  },
});

/** Handler of the event of courses that an instructor grades in a course no more. */
export const onInstructorRemoved =
  (claims: Pick<ClaimRepository, 'endInCourse'>): EventHandler<'course.instructor.removed.v1'> =>
  ({ user_id, course_id }, transaction) =>
    claims.endInCourse(user_id, course_id, transaction);
