import type { CoursesClient } from '../clients/coursesClient.ts';
import type { ProjectionRepository } from '../data/projectionRepository.ts';

interface Dependencies {
  courses: CoursesClient;
  projections: ProjectionRepository;
}

const batchSize = 500;

/** Fetches every class and every course anew that this service knows of. Returns how many of each. */
export async function refreshProjections({ courses, projections }: Dependencies) {
  const classIds = await projections.classIds();
  for (const batch of batches(classIds)) {
    const found = await courses.classes(batch);
    await projections.putClasses(found);
    await projections.markClassesDeleted(missing(batch, found));
  }

  // After the classes: one of them may name a course that was not known yet.
  const courseIds = await projections.courseIds();
  for (const batch of batches(courseIds)) {
    const found = await courses.courses(batch);
    await projections.putCourses(found);
    await projections.markCoursesDeleted(missing(batch, found));
  }
  return { classes: classIds.length, courses: courseIds.length };
}

function missing(ids: number[], found: { id: number }[]): number[] {
  const present = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !present.has(id));
}

function* batches(ids: number[]): Generator<number[]> {
  for (let start = 0; start < ids.length; start += batchSize) yield ids.slice(start, start + batchSize);
}
