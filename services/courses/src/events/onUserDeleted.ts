import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { People } from '@gradeway/shared/people';
import type { CourseRepository } from '../data/courseRepository.ts';
import type { EnrollmentRepository } from '../data/enrollmentRepository.ts';
import { endAllEnrollments } from '../domain/endEnrollment.ts';

interface Parts {
  people: People;
  courses: CourseRepository;
  enrollments: EnrollmentRepository;
  outbox: Outbox;
}

/** The name goes first: from then on nobody enrolls this account, and no enrollment is missed (enroll.ts). */
export const onUserDeleted =
  (parts: Parts): EventHandler<'user.deleted.v1'> =>
  async (user, transaction) => {
    await parts.people.eventHandlers['user.deleted.v1'](user, transaction);
    await endAllEnrollments(parts, user.user_id, transaction);
  };
