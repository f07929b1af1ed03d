import type { AuditedAction } from '@gradeway/shared/audit/auditEntry';
import { changesOf, withheldChange } from '@gradeway/shared/audit/changesOf';
import type { Submission } from './submission.ts';

/** What the audit log records of a grading, also of one that changes nothing. The grading history has the comments. */
export function gradingAction(before: Submission, after: Submission): AuditedAction {
  const rating = changesOf(before, after, ['rating']);
  const comment = withheldChange('comment', before.comment, after.comment);
  const object = { type: 'homework_submission' as const, id: before.id };
  const changes = rating || comment ? { ...rating, ...comment } : null;
  return { action: 'homework.graded', object, changes };
}
