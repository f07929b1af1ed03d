import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import { courseDeleted } from '../events/courseEvents.ts';
import { auditCourse } from './auditCourse.ts';
import type { CourseDependencies } from './createCourse.ts';

/**
 * Deletes a course. Its classes and grades remain. Its students lose access, and it no longer counts towards their
 * carts.
 */
export function deleteCourse(
  { sequelize, courses, outbox, audit }: CourseDependencies,
  id: number,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await courses.lock(id, transaction);
    if (!before) throw notFound();
    await outbox.add(courseDeleted(await courses.delete(before, transaction)), transaction);
    await auditCourse(audit, 'course.deleted', before, null, transaction);
  });
}
