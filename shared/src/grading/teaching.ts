import type { Principal } from '../auth/accessToken.ts';
import { notFound } from '../errors/appError.ts';

/** Teaching assignments, looked up in courses for each call. The calls throw AppError `unavailable` when it is unreachable. */
export interface Teaching {
  /** Whether a user is an instructor of an existing course. */
  teaches(userId: number, courseId: number): Promise<boolean>;
  /** The ids of the existing courses of which a user is an instructor. */
  taughtCourses(userId: number): Promise<number[]>;
}

/**
 * Requires that the caller may grade in a course: administrators in every course, instructors in their own. For others, the
 * course does not exist.
 * @throws AppError `not_found`
 */
export async function requireGrader(
  teaching: Teaching,
  { userId, role }: Pick<Principal, 'userId' | 'role'>,
  courseId: number,
): Promise<void> {
  if (role === 'admin') return;
  if (!(await teaching.teaches(userId, courseId))) throw notFound();
}

/** Returns the courses in which the caller grades; undefined for all courses. */
export const coursesOfGrader = async (
  teaching: Teaching,
  { userId, role }: Pick<Principal, 'userId' | 'role'>,
): Promise<number[] | undefined> => (role === 'admin' ? undefined : await teaching.taughtCourses(userId));
