import type { ClassState } from '@gradeway/shared/events/catalog';
import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { ClassProjection } from '../domain/classProjection.ts';
import type { UseCases } from '../domain/dependencies.ts';

interface CourseHandlers {
  'class.changed.v1': EventHandler<'class.changed.v1'>;
  'class.deleted.v1': EventHandler<'class.deleted.v1'>;
  'course.changed.v1': EventHandler<'course.changed.v1'>;
  'course.deleted.v1': EventHandler<'course.deleted.v1'>;
}

/**
 * Returns handlers that update the projections of classes and courses. Deleted ones remain, marked as deleted: submissions
 * for a deleted class can still be graded (D43), and no late event restores the title of a deleted course.
 */
export const courseHandlers = ({ projections }: Pick<UseCases, 'projections'>): CourseHandlers => ({
  'class.changed.v1': (state, transaction) =>
    projections.upsertClasses([projectionOf(state, false)], transaction),
  'class.deleted.v1': (state, transaction) =>
    projections.upsertClasses([projectionOf(state, true)], transaction),
  'course.changed.v1': ({ id, title, revision }, transaction) =>
    projections.upsertCourses([{ id, title, isDeleted: false, revision }], transaction),
  'course.deleted.v1': ({ id, title, revision }, transaction) =>
    projections.upsertCourses([{ id, title, isDeleted: true, revision }], transaction),
});

const projectionOf = (state: ClassState, isDeleted: boolean): ClassProjection => ({
  id: state.id,
  courseId: state.course_id,
  title: state.title,
  createdAt: new Date(state.created_at),
  isDeleted,
  revision: state.revision,
});
