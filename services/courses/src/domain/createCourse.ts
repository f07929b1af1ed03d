import { inTransaction } from '@gradeway/shared/database/connection';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize } from 'sequelize';
import type { CourseRepository } from '../data/courseRepository.ts';
import { courseChanged } from '../events/courseEvents.ts';
import type { Course, CourseProperties } from './course.ts';

export interface CourseDependencies {
  sequelize: Sequelize;
  courses: CourseRepository;
  outbox: Outbox;
}

/** Makes a course. */
export function createCourse(
  dependencies: CourseDependencies,
  properties: CourseProperties,
): Promise<Course> {
  const { sequelize, courses, outbox } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const course = await courses.create(properties, transaction);
    await outbox.add(courseChanged(course), transaction);
    return course;
  });
}
