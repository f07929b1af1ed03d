import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Course } from '../domain/course.ts';

export const courseChanged = (course: Course): CloudEvent => courseEvent('course.changed.v1', course);

export const courseDeleted = (course: Course): CloudEvent => courseEvent('course.deleted.v1', course);

function courseEvent(type: 'course.changed.v1' | 'course.deleted.v1', course: Course): CloudEvent {
  const { id, title, description, createdAt, revision } = course;
  const data = { id, title, description, created_at: createdAt.toISOString(), revision };
  return createEvent('courses', type, `courses/${id}`, data);
}
