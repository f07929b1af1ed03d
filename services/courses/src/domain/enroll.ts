import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../dependencies.ts';
import { enrollmentChanged } from '../events/enrollmentEvents.ts';
import { auditEnrollment } from './auditEnrollment.ts';
import type { Enrollment } from './enrollment.ts';

type Dependencies = Pick<
  ServiceDependencies,
  'sequelize' | 'courses' | 'enrollments' | 'userProjection' | 'auth' | 'outbox' | 'audit'
>;

type EnrollmentRequest = Pick<Enrollment, 'courseId' | 'userId' | 'paid'>;

/**
 * Enrolls an account in a course, or updates whether it has paid. Concurrent calls for one enrollment are serialized.
 */
export async function enroll(
  { sequelize, courses, enrollments, userProjection, auth, outbox, audit }: Dependencies,
  { courseId, userId, paid }: EnrollmentRequest,
): Promise<Enrollment> {
  if (!(await courses.find(courseId))) throw notFound();
  const account = await auth.findUser(userId);
  if (!account) throw notFound();

  return inTransaction(sequelize, async (transaction) => {
    // Applied like an event of auth, the response locks the user's row until this transaction ends. A concurrent
    // deletion of the account is therefore either visible here, or waits and ends the new enrollment.
    await userProjection.applyChanges([account], transaction);
    if (await enrollments.isAccountDeleted(userId, transaction)) throw notFound();

    const before = await enrollments.lockOrCreate({ courseId, userId }, transaction);
    if (before.isEnrolled && before.paid === paid) return before;
    const enrollment = await enrollments.update(before, { isEnrolled: true, paid }, transaction);
    await outbox.add(enrollmentChanged(enrollment), transaction);
    await auditEnrollment(audit, 'enrollment.changed', before, enrollment, transaction);
    // Last, because concurrent enrollments in the course wait for this lock.
    if (!before.isEnrolled) await courses.addToStudentCounts([courseId], 1, transaction);
    return enrollment;
  });
}
