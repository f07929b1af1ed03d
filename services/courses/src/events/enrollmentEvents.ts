import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Enrollment } from '../domain/enrollment.ts';

export const enrollmentChanged = (enrollment: Enrollment): CloudEvent =>
  enrollmentEvent('enrollment.changed.v1', enrollment);

export const enrollmentDeleted = (enrollment: Enrollment): CloudEvent =>
  enrollmentEvent('enrollment.deleted.v1', enrollment);

function enrollmentEvent(
  type: 'enrollment.changed.v1' | 'enrollment.deleted.v1',
  { courseId, userId, paid, revision }: Enrollment,
): CloudEvent {
  const data = { course_id: courseId, user_id: userId, paid, revision };
  return createEvent('courses', type, `courses/${courseId}/students/${userId}`, data);
}
