import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../dependencies.ts';
import { classChanged } from '../events/classEvents.ts';
import { auditClass } from './auditClass.ts';
import type { Class, ClassProperties } from './class.ts';

export type ClassDependencies = Pick<
  ServiceDependencies,
  'sequelize' | 'courses' | 'classes' | 'outbox' | 'audit'
>;

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
