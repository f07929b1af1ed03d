import type { CoursesClient } from '../clients/coursesClient.ts';
import type { ProjectionRepository } from '../data/projectionRepository.ts';

interface Dependencies {
  courses: CoursesClient;
  projections: ProjectionRepository;
}

/**
 * Asks courses for a class and its course, and notes both, so that lists need not ask. False when there is no such
 * class.
 * @throws AppError `unavailable` when courses is out of reach
 */
export async function primeClassProjection(
  { courses, projections }: Dependencies,
  classId: number,
): Promise<boolean> {
  const [found] = await courses.classes([classId]);
  if (!found) return false;
  const [course] = await courses.courses([found.courseId]);
  await projections.putClasses([found]);
  if (course) await projections.putCourses([course]);
  else await projections.markCoursesDeleted([found.courseId]);
  return true;
}
