import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { CourseRepository } from '../data/courseRepository.ts';
import type { EnrollmentRepository } from '../data/enrollmentRepository.ts';
import { endAllEnrollments } from '../domain/endEnrollment.ts';
import type { CommentRepository } from '../teaching/data/commentRepository.ts';
import type { InstructorRepository } from '../teaching/data/instructorRepository.ts';
import { endTeachingForGood } from '../teaching/domain/removeInstructor.ts';

interface Dependencies {
  userProjection: UserProjection;
  courses: CourseRepository;
  enrollments: EnrollmentRepository;
  instructors: InstructorRepository;
  comments: CommentRepository;
  outbox: Outbox;
}

/** Deletes the name first: from then on the account is neither enrolled nor assigned, so nothing is missed (see enroll.ts). */
export const onUserDeleted =
  (dependencies: Dependencies): EventHandler<'user.deleted.v1'> =>
  async (user, transaction) => {
    await dependencies.userProjection.applyDeletion(user, transaction);
    await endAllEnrollments(dependencies, user.user_id, transaction);
    await endTeachingForGood(dependencies, user.user_id, transaction);
    await dependencies.comments.deleteAll(user.user_id, transaction);
  };
