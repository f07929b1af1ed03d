import type { EnrollmentState } from '@gradeway/shared/events/catalog';
import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Enrollment } from '../domain/enrollment.ts';

export const enrollmentChanged = (enrollment: Enrollment): CloudEvent =>
  createEvent('courses', 'enrollment.changed.v1', subjectOf(enrollment), enrollmentState(enrollment));

export const enrollmentDeleted = (enrollment: Enrollment): CloudEvent =>
  createEvent('courses', 'enrollment.deleted.v1', subjectOf(enrollment), enrollmentState(enrollment));

const subjectOf = ({ courseId, userId }: Enrollment): string => `courses/${courseId}/students/${userId}`;

const enrollmentState = ({ courseId, userId, paid, revision }: Enrollment): EnrollmentState => ({
  course_id: courseId,
  user_id: userId,
  paid,
  revision,
});
