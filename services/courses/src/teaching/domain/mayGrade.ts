import { notFound } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { type Grader, gradesEveryCourse } from './grader.ts';

export type MayGradeDependencies = Pick<ServiceDependencies, 'courses'> &
  Pick<TeachingDependencies, 'instructors'>;

/** Whether a course exists and the grader may grade in it: instructors where they teach, administrators everywhere. */
export async function mayGrade(
  { courses, instructors }: MayGradeDependencies,
  grader: Grader,
  courseId: number,
): Promise<boolean> {
  if (gradesEveryCourse(grader)) return (await courses.find(courseId)) !== undefined;
  return instructors.teaches(grader.userId, courseId);
}

/** @throws AppError `not_found` if the course does not exist or the grader does not teach it */
export async function requireMayGrade(
  dependencies: MayGradeDependencies,
  grader: Grader,
  courseId: number,
): Promise<void> {
  if (!(await mayGrade(dependencies, grader, courseId))) throw notFound();
}
