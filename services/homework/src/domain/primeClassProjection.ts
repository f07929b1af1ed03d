import { projectionsOf } from './classProjection.ts';
import type { UseCases } from './dependencies.ts';

type Dependencies = Pick<UseCases, 'courses' | 'projections'>;

/**
 * Loads a class and its course from courses into the projections that lists read. Returns false if the class does not exist.
 * @throws AppError `unavailable` when courses is unreachable
 */
export async function primeClassProjection(
  { courses, projections }: Dependencies,
  classId: number,
): Promise<boolean> {
  const [found] = await courses.classes([classId]);
  if (!found) return false;
  const [course] = await courses.courses([found.courseId]);
  await projections.upsertClasses(projectionsOf([found]));
  if (course) await projections.upsertCourses(projectionsOf([course]));
  else await projections.markCoursesDeleted([found.courseId]);
  return true;
}
