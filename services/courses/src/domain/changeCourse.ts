import { notFound } from '@gradeway/shared/appError';
import { inTransaction } from '@gradeway/shared/database';
import { courseChanged } from '../events/courseEvents.ts';
import type { Course, CourseProperties } from './course.ts';
import type { CourseParts } from './createCourse.ts';
import { hasChanges } from './hasChanges.ts';

/** Changes what is given of a course. */
export function changeCourse(
  { sequelize, courses, outbox }: CourseParts,
  id: number,
  changes: Partial<CourseProperties>,
): Promise<Course> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await courses.lock(id, transaction);
    if (!before) throw notFound();
    if (!hasChanges(before, changes)) return before;
    const course = await courses.update(before, changes, transaction);
    await outbox.add(courseChanged(course), transaction);
    return course;
  });
}
