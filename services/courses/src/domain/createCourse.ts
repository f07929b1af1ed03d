import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize } from 'sequelize';
import type { CourseRepository } from '../data/courseRepository.ts';
import { courseChanged } from '../events/courseEvents.ts';
import { auditCourse } from './auditCourse.ts';
import type { Course, CourseProperties } from './course.ts';

export interface CourseDependencies {
  sequelize: Sequelize;
  courses: CourseRepository;
  outbox: Outbox;
  audit: AuditTrail;
}

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
