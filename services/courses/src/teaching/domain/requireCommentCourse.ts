import { invalid } from '@gradeway/shared/errors/appError';
import type { Grader } from './grader.ts';
import { type MayGradeDependencies, mayGrade } from './mayGrade.ts';

/** @throws AppError `invalid` if the comment's course does not exist or the grader does not teach it */
export async function requireCommentCourse(
  dependencies: MayGradeDependencies,
  grader: Grader,
  courseId: number | null | undefined,
): Promise<void> {
  if (typeof courseId !== 'number' || (await mayGrade(dependencies, grader, courseId))) return;
  throw invalid({ course_id: ['The selected course id is invalid.'] });
}
