import type { ClassState } from '@gradeway/shared/events/catalog';
import type { KnownClass } from '../domain/knownClass.ts';

/** A class as an event tells of it. */
export const knownClass = (state: ClassState, isDeleted: boolean): KnownClass => ({
  id: state.id,
  courseId: state.course_id,
  title: state.title,
  createdAt: new Date(state.created_at),
  isDeleted,
  revision: state.revision,
});
