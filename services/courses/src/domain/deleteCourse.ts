import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import { courseDeleted } from '../events/courseEvents.ts';
import type { CourseDependencies } from './createCourse.ts';

/**
 * Deletes a course. Its classes stay, and the grades given in it; who was enrolled in it has no more access and
 * nothing of it in the cart.
 */
export function deleteCourse({ sequelize, courses, outbox }: CourseDependencies, id: number): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await courses.lock(id, transaction);
    if (!before) throw notFound();
    await outbox.add(courseDeleted(await courses.delete(before, transaction)), transaction);
  });
}
