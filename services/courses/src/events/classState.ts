import type { ClassState } from '@gradeway/shared/events/catalog';
import type { Class } from '../domain/class.ts';

/** A class as its events carry it. */
export const classState = ({ id, courseId, title, createdAt, revision }: Class): ClassState => ({
  id,
  course_id: courseId,
  title,
  created_at: createdAt.toISOString(),
  revision,
});
