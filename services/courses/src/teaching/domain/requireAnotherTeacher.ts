import { AppError } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { TeachingDependencies } from '../dependencies.ts';
import type { Instructor } from './instructor.ts';

/**
 * Requires that a course has another teacher. Locks its teachers until the transaction ends, so that two of them cannot
 * remove each other.
 * @throws AppError `conflict`
 */
export async function requireAnotherTeacher(
  instructors: TeachingDependencies['instructors'],
  { courseId, userId }: Pick<Instructor, 'courseId' | 'userId'>,
  transaction: Transaction,
): Promise<void> {
  const teachers = await instructors.lockTeachers(courseId, transaction);
  if (teachers.length === 1 && teachers[0] === userId)
    throw new AppError('conflict', 'A course keeps one teacher', { reason: 'last_teacher' });
}
