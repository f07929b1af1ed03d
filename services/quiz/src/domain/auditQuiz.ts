import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { Quiz } from './quiz.ts';

const audited = [
  'title',
  'courseId',
  'questionsCount',
  'totalGrade',
  'opensAt',
  'closesAt',
  'durationMinutes',
  'questionsFileId',
  'published',
  'release',
  'releaseAt',
  'late',
  'submissionOrder',
  'anonymous',
  'gradersEditRubric',
  'reviews',
] as const satisfies readonly (keyof Quiz)[];

type AuditedQuiz = Pick<Quiz, (typeof audited)[number]>;

/** Whether a change affects a setting or the release of the grades. */
export const hasChanged = (
  before: AuditedQuiz & Pick<Quiz, 'releasedAt'>,
  after: AuditedQuiz & Pick<Quiz, 'releasedAt'>,
): boolean => changesOf(before, after, [...audited, 'releasedAt']) !== null;

/** Records a change to a quiz; `before` is null for a new one, `after` for a deleted one. */
export async function auditQuiz(
  audit: AuditTrail,
  action: 'quiz.created' | 'quiz.updated' | 'quiz.deleted',
  before: Quiz | null,
  after: Quiz | null,
  transaction: Transaction,
): Promise<void> {
  const changes = changesOf(before, after, audited);
  if (!changes) return;
  const id = (before ?? after)?.id ?? 0;
  await audit.record({ action, object: { type: 'quiz', id }, changes }, transaction);
}
