import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { IdempotencyStore } from '@gradeway/shared/database/idempotencyStore';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { GradingConditions } from '@gradeway/shared/submissions/gradingConditions';
import { requireVersion, versionTag } from '@gradeway/shared/submissions/versionTag';
import type { Sequelize, Transaction } from 'sequelize';
import type { ProjectionRepository } from '../data/projectionRepository.ts';
import type { SubmissionRepository } from '../data/submissionRepository.ts';
import { submissionGraded } from '../events/submissionGraded.ts';
import { auditGrading } from './auditGrading.ts';
import { commentAfterGrading } from './commentAfterGrading.ts';
import { homeworkNotFound } from './homework.ts';
import type { Submission } from './submission.ts';

interface Dependencies {
  sequelize: Sequelize;
  projections: ProjectionRepository;
  submissions: SubmissionRepository;
  outbox: Outbox;
  idempotency: IdempotencyStore;
  audit: AuditTrail;
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
export function gradeSubmission(
  dependencies: Dependencies,
  { submissionId, rating, comment: givenComment, gradedBy }: Grading,
  { expectedTags, key }: GradingConditions,
): Promise<{ tag: string }> {
  const { sequelize, submissions, idempotency, audit } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const before = await submissions.lock(submissionId, transaction);
    if (!before) throw homeworkNotFound();
    requireVersion(before, expectedTags);

    const comment = commentAfterGrading(before.comment, givenComment);
    const grading = { submissionId, rating, comment, gradedBy, gradedAt: new Date() };
    await submissions.addGrading(grading, transaction);
    const isUnchanged = before.rating === rating && before.comment === comment;
    const after = isUnchanged ? before : await overwriteGrade(dependencies, before, grading, transaction);
    await auditGrading(audit, before, after, transaction);
    const result = { tag: versionTag(after) };
    await idempotency.recordResult(key, result, transaction);
    return result;
  });
}

async function overwriteGrade(
  { submissions, projections, outbox }: Dependencies,
  before: Submission,
  grading: { rating: number; comment: string | null; gradedBy: number; gradedAt: Date },
  transaction: Transaction,
): Promise<Submission> {
  const graded = await submissions.setGrade(before, grading, transaction);
  const gradedClass = await projections.classOf(graded.classId, transaction);
  await outbox.add(submissionGraded(graded, gradedClass), transaction);
  return graded;
}
