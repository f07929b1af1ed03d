import type { ClassState } from '@gradeway/shared/events/catalog';
import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { Transaction } from 'sequelize';
import type { ClassProjection } from '../domain/classProjection.ts';
import type { UseCases } from '../domain/dependencies.ts';
import { homeworkChanged } from './homeworkEvents.ts';

interface CourseHandlers {
  'class.changed.v1': EventHandler<'class.changed.v1'>;
  'class.deleted.v1': EventHandler<'class.deleted.v1'>;
  'course.changed.v1': EventHandler<'course.changed.v1'>;
  'course.deleted.v1': EventHandler<'course.deleted.v1'>;
}

type Dependencies = Pick<UseCases, 'projections' | 'homeworks' | 'outbox'>;

/**
 * Returns handlers that update the projections of classes and courses. Deleted classes and courses remain, marked as
 * deleted: submissions for a deleted class can still be graded (D43), and no late event restores the title of a deleted
 * course. An assignment takes its title and course from its class, so a change to the class also changes the
 * assignment.
 */
export const courseHandlers = ({ projections, ...rest }: Dependencies): CourseHandlers => ({
  async 'class.changed.v1'(state, transaction) {
    await projections.upsertClasses([projectionOf(state, false)], transaction);
    await publishAssignment(rest, state.id, transaction);
  },
  async 'class.deleted.v1'(state, transaction) {
    await projections.upsertClasses([projectionOf(state, true)], transaction);
    await publishAssignment(rest, state.id, transaction);
  },
  'course.changed.v1': ({ id, title, revision }, transaction) =>
    projections.upsertCourses([{ id, title, isDeleted: false, revision }], transaction),
  'course.deleted.v1': ({ id, title, revision }, transaction) =>
    projections.upsertCourses([{ id, title, isDeleted: true, revision }], transaction),
});

async function publishAssignment(
  { homeworks, outbox }: Pick<Dependencies, 'homeworks' | 'outbox'>,
  classId: number,
  transaction: Transaction,
): Promise<void> {
  const homework = await homeworks.increment(classId, transaction);
  if (homework) await outbox.add(homeworkChanged(homework), transaction);
}

const projectionOf = (state: ClassState, isDeleted: boolean): ClassProjection => ({
  id: state.id,
  courseId: state.course_id,
  title: state.title,
  createdAt: new Date(state.created_at),
  isDeleted,
  revision: state.revision,
});
