import { inTransaction } from '@gradeway/shared/database/connection';
import type { ServiceDependencies } from '../dependencies.ts';
import { courseChanged } from '../events/courseEvents.ts';
import { auditCourse } from './auditCourse.ts';
import type { Course, CourseProperties } from './course.ts';

export type CourseDependencies = Pick<ServiceDependencies, 'sequelize' | 'courses' | 'outbox' | 'audit'>;

export function createCourse(
  { sequelize, courses, outbox, audit }: CourseDependencies,
  properties: CourseProperties,
): Promise<Course> {
  return inTransaction(sequelize, async (transaction) => {
    const course = await courses.create(properties, transaction);
    await outbox.add(courseChanged(course), transaction);
    await auditCourse(audit, 'course.created', null, course, transaction);
    return course;
  });
}
