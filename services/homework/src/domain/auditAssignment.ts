import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { StoredAssignment } from './homework.ts';

const audited = [
  'deadline',
  'description',
  'fileId',
  'opensAt',
  'published',
  'release',
  'releaseAt',
  'late',
  'submissionOrder',
  'anonymous',
  'gradersEditRubric',
  'reviews',
] as const;

// The audit log has always used this name for the closing time.
const withDeadline = (assignment: StoredAssignment) => ({ ...assignment, deadline: assignment.closesAt });

/** Whether a change affects a setting or the release of the grades. */
export const hasChanged = (before: StoredAssignment, after: StoredAssignment): boolean =>
  changesOf(withDeadline(before), withDeadline(after), [...audited, 'releasedAt']) !== null;

/** Records that an assignment was created (`before` is null) or changed. Its id is the class id. */
export async function auditAssignment(
  audit: AuditTrail,
  classId: number,
  before: StoredAssignment | null,
  after: StoredAssignment,
  transaction: Transaction,
): Promise<void> {
  const changes = changesOf(before && withDeadline(before), withDeadline(after), audited);
  if (before && !changes) return;
  const action = before ? 'assignment.updated' : 'assignment.created';
  await audit.record({ action, object: { type: 'assignment', id: classId }, changes }, transaction);
}
