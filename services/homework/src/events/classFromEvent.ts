import type { ClassState } from '@gradeway/shared/events/catalog';
import type { ClassProjection } from '../domain/classProjection.ts';

/** The projection of a class from the data of its event. */
export const classFromEvent = (state: ClassState, isDeleted: boolean): ClassProjection => ({
  id: state.id,
  courseId: state.course_id,
  title: state.title,
  createdAt: new Date(state.created_at),
  isDeleted,
  revision: state.revision,
});
