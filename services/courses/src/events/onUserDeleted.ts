import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { CourseRepository } from '../data/courseRepository.ts';
import type { EnrollmentRepository } from '../data/enrollmentRepository.ts';
import { endAllEnrollments } from '../domain/endEnrollment.ts';

interface Dependencies {
  userProjection: UserProjection;
  courses: CourseRepository;
  enrollments: EnrollmentRepository;
  outbox: Outbox;
}

/** Deletes the name first: from then on the account cannot be enrolled, so no enrollment is missed (see enroll.ts). */
export const onUserDeleted =
  (dependencies: Dependencies): EventHandler<'user.deleted.v1'> =>
  async (user, transaction) => {
    await dependencies.userProjection.eventHandlers['user.deleted.v1'](user, transaction);
    await endAllEnrollments(dependencies, user.user_id, transaction);
  };
