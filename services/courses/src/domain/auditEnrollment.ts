import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { Enrollment } from './enrollment.ts';

/** Records a change to an enrollment, which is identified by its course and student. */
export async function auditEnrollment(
  audit: AuditTrail,
  action: 'enrollment.changed' | 'enrollment.deleted',
  before: Enrollment,
  after: Enrollment,
  transaction: Transaction,
): Promise<void> {
  const object = { type: 'enrollment' as const, id: `${after.courseId}/${after.userId}` };
  const changes = changesOf(before, after, ['isEnrolled', 'paid']);
  await audit.record({ action, object, changes }, transaction);
}
