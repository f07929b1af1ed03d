import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { Class } from './class.ts';

/** Records a change to a class. `before` is null for a new class, `after` for a deleted one. */
export async function auditClass(
  audit: AuditTrail,
  action: 'class.created' | 'class.updated' | 'class.deleted',
  before: Class | null,
  after: Class | null,
  transaction: Transaction,
): Promise<void> {
  const id = (before ?? after)?.id ?? 0;
  const changes = changesOf(before, after, ['courseId', 'title']);
  await audit.record({ action, object: { type: 'class', id }, changes }, transaction);
}
