import { mayUseCourse } from '@gradeway/shared/auth/courseLimit';
import { forbidden, notFound } from '@gradeway/shared/errors/appError';
import type { CourseRole } from '@gradeway/shared/teaching/teachingClient';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { type Grader, gradesEveryCourse } from './grader.ts';

export type CourseRoleDependencies = Pick<ServiceDependencies, 'courses'> &
  Pick<TeachingDependencies, 'instructors'>;

/**
 * Returns the role of a grader in an existing course: an instructor's role from the assignment; administrators are
 * teachers of every course. Undefined for a course that does not exist, that the grader does not teach, or to which the
 * token gives no access.
 */
export async function courseRoleOf(
  { courses, instructors }: CourseRoleDependencies,
  grader: Grader,
  courseId: number,
): Promise<CourseRole | undefined> {
  if (!mayUseCourse(grader, courseId)) return undefined;
  if (!gradesEveryCourse(grader)) return instructors.roleIn(grader.userId, courseId);
  return (await courses.find(courseId)) && 'teacher';
}

/** @throws AppError `not_found` if the course does not exist or the grader does not teach it */
export async function requireMayGrade(
  dependencies: CourseRoleDependencies,
  grader: Grader,
  courseId: number,
): Promise<void> {
  if (!(await courseRoleOf(dependencies, grader, courseId))) throw notFound();
}

/** @throws AppError `not_found` like {@link requireMayGrade}, `forbidden` for a grader of the course */
export async function requireRunsCourse(
  dependencies: CourseRoleDependencies,
  grader: Grader,
  courseId: number,
): Promise<void> {
  const role = await courseRoleOf(dependencies, grader, courseId);
  if (!role) throw notFound();
  if (role !== 'teacher') throw forbidden();
}
