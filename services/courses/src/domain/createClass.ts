import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize } from 'sequelize';
import type { ClassRepository } from '../data/classRepository.ts';
import type { CourseRepository } from '../data/courseRepository.ts';
import { classChanged } from '../events/classEvents.ts';
import { auditClass } from './auditClass.ts';
import type { Class, ClassProperties } from './class.ts';

export interface ClassDependencies {
  sequelize: Sequelize;
  courses: CourseRepository;
  classes: ClassRepository;
  outbox: Outbox;
  audit: AuditTrail;
}

export function createClass(
  { sequelize, courses, classes, outbox, audit }: ClassDependencies,
  courseId: number,
  properties: ClassProperties,
): Promise<Class> {
  return inTransaction(sequelize, async (transaction) => {
    if (!(await courses.find(courseId, transaction))) throw notFound();
    const created = await classes.create({ ...properties, courseId }, transaction);
    await outbox.add(classChanged(created), transaction);
    await auditClass(audit, 'class.created', null, created, transaction);
    return created;
  });
}
