import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../dependencies.ts';
import { enrollmentDeleted } from '../events/enrollmentEvents.ts';
import { auditEnrollment } from './auditEnrollment.ts';

type Dependencies = Pick<ServiceDependencies, 'sequelize' | 'courses' | 'enrollments' | 'outbox' | 'audit'>;

/** Ends an enrollment. The student's grades remain in the gradebook. */
export async function endEnrollment(
  dependencies: Dependencies,
  courseId: number,
  userId: number,
): Promise<void> {
  const { sequelize, courses, enrollments, outbox, audit } = dependencies;
  await inTransaction(sequelize, async (transaction) => {
    if (!(await courses.find(courseId, transaction))) throw notFound();
    const before = await enrollments.lock({ courseId, userId }, transaction);
    if (!before?.isEnrolled) throw notFound();
    const ended = await enrollments.update(before, { isEnrolled: false }, transaction);
    await outbox.add(enrollmentDeleted(ended), transaction);
    await auditEnrollment(audit, 'enrollment.deleted', before, ended, transaction);
    await courses.addToStudentCounts([courseId], -1, transaction);
  });
}

/** Ends all enrollments of a deleted account, in the transaction that consumes the event. */
export async function endAllEnrollments(
  { courses, enrollments, outbox }: Omit<Dependencies, 'sequelize' | 'audit'>,
  userId: number,
  transaction: Transaction,
): Promise<void> {
  const ended = await enrollments.endAll(userId, transaction);
  for (const enrollment of ended) await outbox.add(enrollmentDeleted(enrollment), transaction);
  const courseIds = ended.map(({ courseId }) => courseId);
  await courses.addToStudentCounts(courseIds, -1, transaction);
}
