import type { BatchHandler, EventHandler } from '../events/consumeEvents.ts';
import type { UserProjection } from '../projections/userProjection.ts';
import type { ClaimRepository } from './claimRepository.ts';

/** What graders claim. */
type Claims = Pick<ClaimRepository, 'endAll' | 'endInCourse'>;

/** The events after which claims of graders end. */
export type ClaimEvents = 'user.changed.v1' | 'user.deleted.v1' | 'course.instructor.removed.v1';

interface ClaimHandlers {
  'user.changed.v1': BatchHandler<'user.changed.v1'>;
  'user.deleted.v1': EventHandler<'user.deleted.v1'>;
  'course.instructor.removed.v1': EventHandler<'course.instructor.removed.v1'>;
}

/** Returns handlers that update the names of users and end the claims of people who may no longer grade. */
export const claimHandlers = (userProjection: UserProjection, claims: Claims[]): ClaimHandlers => ({
  'user.changed.v1': {
    async applyAll(users, transaction) {
      await userProjection.applyChanges(users, transaction);
      const others = users.filter(
        ({ role, is_blocked }) => is_blocked || (role !== 'admin' && role !== 'instructor'),
      );
      const userIds = others.map(({ user_id }) => user_id);
      for (const each of claims) await each.endAll(userIds, transaction);
    },
  },
  async 'user.deleted.v1'(user, transaction) {
    await userProjection.applyDeletion(user, transaction);
    for (const each of claims) await each.endAll([user.user_id], transaction);
  },
  async 'course.instructor.removed.v1'({ user_id, course_id }, transaction) {
    for (const each of claims) await each.endInCourse(user_id, course_id, transaction);
  },
});
