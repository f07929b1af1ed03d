import type { EventAuditTrail } from '@gradeway/shared/audit/auditTrail';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { IdempotencyStore } from '@gradeway/shared/database/idempotencyStore';
import type { Outbox } from '@gradeway/shared/events/outbox';
import { countGrading } from '@gradeway/shared/grading/gradingMetrics';
import type { GradingConditions } from '@gradeway/shared/submissions/gradingConditions';
import { requireVersion, versionTag } from '@gradeway/shared/submissions/versionTag';
import type { Sequelize } from 'sequelize';
import type { GradableSubmission, GradingRepository } from '../data/gradingRepository.ts';
import { submissionGraded } from '../events/submissionGraded.ts';
import { commentAfterGrading } from './commentAfterGrading.ts';
import { gradingAction } from './gradingAction.ts';
import { homeworkNotFound } from './homework.ts';
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
  rating: number;
  /** Undefined keeps the earlier comment. */
  comment: string | null | undefined;
  gradedBy: number;
}

/**
 * Grades a submission, or grades it again: the later rating overwrites the earlier one, the history keeps both (D18).
 * It does not matter whether the class still has its assignment, or still exists (D21, D43). A grading that changes
 * nothing is added to the history and publishes no event. Returns the submission's new tag.
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
      if (!before) throw homeworkNotFound();
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
  if (!before) throw homeworkNotFound();
  const { given, events, result } = applyGrading(dependencies, before, grading, conditions);
  const isDone = await outbox.addBy(events, (rows) => gradings.overwriteAtOnce(before, given, rows));
  return isDone ? result : undefined;
}

/** What a grading makes of a submission. */
function applyGrading(
  { audit }: Dependencies,
  before: GradableSubmission,
  { rating, comment: givenComment, gradedBy }: Grading,
  { expectedTags }: GradingConditions,
) {
  requireVersion(before, expectedTags);
  const comment = commentAfterGrading(before.comment, givenComment);
  const isChanged = before.rating !== rating || before.comment !== comment;
  const revision = before.revision + (isChanged ? 1 : 0);
  const given = { rating, comment, gradedBy, gradedAt: new Date(), revision };
  const after: Submission = { ...before, ...given };
  const audited = audit.eventOf(gradingAction(before, after));
  const events = isChanged ? [submissionGraded(after, before), audited] : [audited];
  return { given, events, result: { tag: versionTag(after) } };
}
