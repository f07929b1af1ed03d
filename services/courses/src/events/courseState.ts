import type { CourseState } from '@gradeway/shared/events/catalog';
import type { Course } from '../domain/course.ts';

/** A course as its events carry it. */
export const courseState = ({ id, title, description, createdAt, revision }: Course): CourseState => ({
  id,
  title,
  description,
  created_at: createdAt.toISOString(),
  revision,
});
