import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import type { Transaction } from 'sequelize';
import type { Instructor } from './instructor.ts';

/** Records that an administrator assigned or removed an instructor, identified by course and account. */
export async function auditInstructor(
  audit: AuditTrail,
  action: 'instructor.assigned' | 'instructor.removed',
  { courseId, userId }: Instructor,
  transaction: Transaction,
): Promise<void> {
  const isAssigned = action === 'instructor.assigned';
  const object = { type: 'instructor' as const, id: `${courseId}/${userId}` };
  await audit.record({ action, object, changes: { is_assigned: [!isAssigned, isAssigned] } }, transaction);
}
