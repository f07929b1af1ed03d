import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf, withheldChange } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { Submission } from './submission.ts';

/** Records a grading, also one that changes nothing. The grading history has the comments. */
export async function auditGrading(
  audit: AuditTrail,
  before: Submission,
  after: Submission,
  transaction: Transaction,
): Promise<void> {
  const rating = changesOf(before, after, ['rating']);
  const comment = withheldChange('comment', before.comment, after.comment);
  const object = { type: 'homework_submission' as const, id: before.id };
  const changes = rating || comment ? { ...rating, ...comment } : null;
  await audit.record({ action: 'homework.graded', object, changes }, transaction);
}
