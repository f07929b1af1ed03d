import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import { courseChanged } from '../events/courseEvents.ts';
import { auditCourse } from './auditCourse.ts';
import type { Course, CourseProperties } from './course.ts';
import type { CourseDependencies } from './createCourse.ts';
import { isNoOpUpdate } from './isNoOpUpdate.ts';

/** Changes the given properties of a course. If none differs, no event is published. */
export function changeCourse(
  { sequelize, courses, outbox, audit }: CourseDependencies,
  id: number,
  changes: Partial<CourseProperties>,
): Promise<Course> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await courses.lock(id, transaction);
    if (!before) throw notFound();
    if (isNoOpUpdate(before, changes)) return before;
    const course = await courses.update(before, changes, transaction);
    await outbox.add(courseChanged(course), transaction);
    await auditCourse(audit, 'course.updated', before, course, transaction);
    return course;
  });
}
