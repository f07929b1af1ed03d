import type { CoursesClient } from '../clients/coursesClient.ts';
import type { ProjectionRepository } from '../data/projectionRepository.ts';

interface Dependencies {
  courses: CoursesClient;
  projections: ProjectionRepository;
}

/**
 * Loads a class and its course from courses into the projections that lists read. False when the class does not exist.
 * @throws AppError `unavailable` when courses is unreachable
 */
export async function primeClassProjection(
  { courses, projections }: Dependencies,
  classId: number,
): Promise<boolean> {
  const [found] = await courses.classes([classId]);
  if (!found) return false;
  const [course] = await courses.courses([found.courseId]);
  await projections.upsertClasses([found]);
  if (course) await projections.upsertCourses([course]);
  else await projections.markCoursesDeleted([found.courseId]);
  return true;
}
