import type { EventAuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { IdempotencyStore } from '@gradeway/shared/database/idempotencyStore';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Outbox } from '@gradeway/shared/events/outbox';
import { countGrading } from '@gradeway/shared/grading/gradingMetrics';
import type { GradingConditions } from '@gradeway/shared/submissions/gradingConditions';
import { requireVersion, versionTag } from '@gradeway/shared/submissions/versionTag';
import type { Sequelize } from 'sequelize';
import type { GradableSubmission, GradingRepository } from '../data/gradingRepository.ts';
import { submissionGraded } from '../events/submissionGraded.ts';
import type { Submission } from './submission.ts';

interface Dependencies {
  sequelize: Sequelize;
  gradings: GradingRepository;
  outbox: Outbox;
  idempotency: IdempotencyStore;
  audit: EventAuditTrail;
}

export interface Grading {
  submissionId: number;
  grade: number;
  totalGrade: number;
  gradedBy: number;
}

/**
 * Grades a submission, or grades it again: the later grade overwrites the earlier one, the history keeps both (D24). A
 * grading that changes nothing is added to the history and publishes no event. Returns the submission's new tag.
 * @throws VersionConflict when the submission is in none of the expected states
 */
export async function gradeSubmission(
  dependencies: Dependencies,
  grading: Grading,
  conditions: GradingConditions,
): Promise<{ tag: string }> {
  const { sequelize, gradings, outbox, idempotency } = dependencies;
  const graded =
    (await gradeAtOnce(dependencies, grading, conditions)) ??
    (await inTransaction(sequelize, async (transaction) => {
      const before = await gradings.lock(grading.submissionId, transaction);
      if (!before) throw notFound();
      const { given, events, result } = applyGrading(dependencies, before, grading, conditions);
      await gradings.overwrite(grading.submissionId, given, transaction);
      await outbox.add(events, transaction);
      await idempotency.recordResult(conditions.key, result, transaction);
      return result;
    }));
  countGrading('specification');
  return graded;
}

/**
 * Grades a submission in one statement, without a lock between reading and writing. Undefined, and nothing has happened, when
 * that does not suffice: the submission has changed in between, or its result is to be recorded.
 */
async function gradeAtOnce(
  dependencies: Dependencies,
  grading: Grading,
  conditions: GradingConditions,
): Promise<{ tag: string } | undefined> {
  const { gradings, outbox } = dependencies;
  if (conditions.key) return undefined;
  const before = await gradings.find(grading.submissionId);
  if (!before) throw notFound();
  const { given, events, result } = applyGrading(dependencies, before, grading, conditions);
  const isDone = await outbox.addBy(events, (rows) => gradings.overwriteAtOnce(before, given, rows));
  return isDone ? result : undefined;
}

/** What a grading makes of a submission. */
function applyGrading(
  { audit }: Dependencies,
  before: GradableSubmission,
  { grade, totalGrade, gradedBy }: Grading,
  { expectedTags }: GradingConditions,
) {
  requireVersion(before, expectedTags);
  const isChanged = before.grade !== grade || before.totalGrade !== totalGrade;
  const revision = before.revision + (isChanged ? 1 : 0);
  const given = { grade, totalGrade, gradedBy, gradedAt: new Date(), revision };
  const after: Submission = { ...before, ...given };
  const object = { type: 'quiz_submission' as const, id: before.id };
  const changes = changesOf(before, after, ['grade', 'totalGrade']);
  const audited = audit.eventOf({ action: 'quiz.graded', object, changes });
  const events = isChanged ? [submissionGraded(after, before.quizTitle), audited] : [audited];
  return { given, events, result: { tag: versionTag(after) } };
}
