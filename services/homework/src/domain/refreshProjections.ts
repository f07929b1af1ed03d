import { projectionsOf } from './classProjection.ts';
import type { UseCases } from './dependencies.ts';

type Dependencies = Pick<UseCases, 'courses' | 'projections'>;

const batchSize = 500;

/** Reloads every projected class and course. Returns their numbers. */
export async function refreshProjections({ courses, projections }: Dependencies) {
  const classIds = await projections.classIds();
  for (const batch of batches(classIds)) {
    const found = await courses.classes(batch);
    await projections.upsertClasses(projectionsOf(found));
    await projections.markClassesDeleted(missing(batch, found));
  }

  // After the classes, because a reloaded class may refer to a course that is not projected yet.
  const courseIds = await projections.courseIds();
  for (const batch of batches(courseIds)) {
    const found = await courses.courses(batch);
    await projections.upsertCourses(projectionsOf(found));
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
