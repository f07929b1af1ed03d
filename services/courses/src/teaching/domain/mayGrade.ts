import { notFound } from '@gradeway/shared/errors/appError';
import type { CourseRepository } from '../../data/courseRepository.ts';
import type { InstructorRepository } from '../data/instructorRepository.ts';
import { type Grader, gradesEveryCourse } from './grader.ts';

export interface MayGradeDependencies {
  courses: CourseRepository;
  instructors: InstructorRepository;
}

/** Whether a course exists and the grader teaches it; administrators grade every course. */
export async function mayGrade(
  { courses, instructors }: MayGradeDependencies,
  grader: Grader,
  courseId: number,
): Promise<boolean> {
  if (gradesEveryCourse(grader)) return (await courses.find(courseId)) !== undefined;
  return instructors.teaches(grader.userId, courseId);
}

/** @throws AppError `not_found` for a course that the grader does not teach, as for one that does not exist */
export async function requireMayGrade(
  dependencies: MayGradeDependencies,
  grader: Grader,
  courseId: number,
): Promise<void> {
  if (!(await mayGrade(dependencies, grader, courseId))) throw notFound();
}
