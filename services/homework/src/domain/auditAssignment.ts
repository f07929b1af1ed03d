import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { AssignmentProperties } from './homework.ts';

type Assignment = Pick<AssignmentProperties, 'closesAt' | 'description'> & { fileId: number | null };

/** Records that an assignment was created (`before` is null) or changed. Its id is that of the class. */
export async function auditAssignment(
  audit: AuditTrail,
  classId: number,
  before: Assignment | null,
  after: Assignment,
  transaction: Transaction,
): Promise<void> {
  const changes = changesOf(before && audited(before), audited(after), ['deadline', 'description', 'fileId']);
  if (before && !changes) return;
  const action = before ? 'assignment.updated' : 'assignment.created';
  await audit.record({ action, object: { type: 'assignment', id: classId }, changes }, transaction);
}

const audited = ({ closesAt, description, fileId }: Assignment) => ({
  deadline: closesAt,
  description,
  fileId,
});
