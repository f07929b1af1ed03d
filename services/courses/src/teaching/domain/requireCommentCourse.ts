import { invalid } from '@gradeway/shared/errors/appError';
import { type CourseRoleDependencies, courseRoleOf } from './courseRole.ts';
import type { Grader } from './grader.ts';

/** @throws AppError `invalid` if the comment's course does not exist or the grader does not teach it */
export async function requireCommentCourse(
  dependencies: CourseRoleDependencies,
  grader: Grader,
  courseId: number | null | undefined,
): Promise<void> {
  if (typeof courseId !== 'number' || (await courseRoleOf(dependencies, grader, courseId))) return;
  throw invalid({ course_id: ['The selected course id is invalid.'] });
}
