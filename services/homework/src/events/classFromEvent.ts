import type { ClassState } from '@gradeway/shared/events/catalog';
import type { ProjectedClass } from '../domain/classProjection.ts';

/** A class as an event tells of it. */
export const classFromEvent = (state: ClassState, isDeleted: boolean): ProjectedClass => ({
  id: state.id,
  courseId: state.course_id,
  title: state.title,
  createdAt: new Date(state.created_at),
  isDeleted,
  revision: state.revision,
});
