import type { CourseState } from '@gradeway/shared/events/catalog';
import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Course } from '../domain/course.ts';

export const courseChanged = (course: Course): CloudEvent =>
  createEvent('courses', 'course.changed.v1', `courses/${course.id}`, courseState(course));

export const courseDeleted = (course: Course): CloudEvent =>
  createEvent('courses', 'course.deleted.v1', `courses/${course.id}`, courseState(course));

const courseState = ({ id, title, description, createdAt, revision }: Course): CourseState => ({
  id,
  title,
  description,
  created_at: createdAt.toISOString(),
  revision,
});
