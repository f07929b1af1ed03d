import type { BatchHandler, EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { CalendarRepository } from '../calendar/data/calendarRepository.ts';
import type { CourseRepository } from '../data/courseRepository.ts';
import type { EnrollmentRepository } from '../data/enrollmentRepository.ts';
import { endAllEnrollments } from '../domain/endEnrollment.ts';
import type { AccommodationRepository } from '../teaching/data/accommodationRepository.ts';
import type { CommentRepository } from '../teaching/data/commentRepository.ts';
import {
  endTeaching,
  endTeachingForGood,
  type RemovalDependencies,
} from '../teaching/domain/removeInstructor.ts';

interface ChangeDependencies extends RemovalDependencies {
  userProjection: UserProjection;
}

interface DeletionDependencies extends ChangeDependencies {
  courses: CourseRepository;
  enrollments: EnrollmentRepository;
  accommodations: AccommodationRepository;
  comments: CommentRepository;
  calendars: CalendarRepository;
}

/** Applies the names first, which locks the rows of the accounts: see assignInstructor.ts. */
export const onUserChanged = (dependencies: ChangeDependencies): BatchHandler<'user.changed.v1'> => ({
  async applyAll(users, transaction) {
    await dependencies.userProjection.applyChanges(users, transaction);
    const others = users.filter(({ role }) => role !== 'instructor');
    await endTeaching(
      dependencies,
      others.map(({ user_id, revision }) => ({ userId: user_id, revision })),
      transaction,
    );
  },
});

/** Deletes the name first: from then on, the account can neither enroll nor be assigned (see enroll.ts). */
export const onUserDeleted =
  (dependencies: DeletionDependencies): EventHandler<'user.deleted.v1'> =>
  async (user, transaction) => {
    await dependencies.userProjection.applyDeletion(user, transaction);
    await endAllEnrollments(dependencies, user.user_id, transaction);
    await endTeachingForGood(dependencies, user.user_id, transaction);
    await dependencies.accommodations.deleteAll(user.user_id, transaction);
    await dependencies.comments.deleteAll(user.user_id, transaction);
    await dependencies.calendars.delete(user.user_id, transaction);
  };
