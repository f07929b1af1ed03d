import type { EnrollmentState } from '@gradeway/shared/events/catalog';
import type { Enrollment } from '../domain/enrollment.ts';

/** An enrollment as its events carry it. */
export const enrollmentState = ({ courseId, userId, paid, revision }: Enrollment): EnrollmentState => ({
  course_id: courseId,
  user_id: userId,
  paid,
  revision,
});

/** The subject of its events. */
export const enrollmentSubject = ({ courseId, userId }: Enrollment): string =>
  `courses/${courseId}/students/${userId}`;
