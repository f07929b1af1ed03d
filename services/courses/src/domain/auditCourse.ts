import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { Course } from './course.ts';

/** Records a change to a course. `before` is null for a new course, `after` for a deleted one. */
export async function auditCourse(
  audit: AuditTrail,
  action: 'course.created' | 'course.updated' | 'course.deleted',
  before: Course | null,
  after: Course | null,
  transaction: Transaction,
): Promise<void> {
  const id = (before ?? after)?.id ?? 0;
  const changes = changesOf(before, after, ['title', 'description']);
  await audit.record({ action, object: { type: 'course', id }, changes }, transaction);
}
