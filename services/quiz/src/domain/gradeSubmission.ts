import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { IdempotencyStore } from '@gradeway/shared/database/idempotencyStore';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { GradingConditions } from '@gradeway/shared/submissions/gradingConditions';
import { requireVersion, versionTag } from '@gradeway/shared/submissions/versionTag';
import type { Sequelize, Transaction } from 'sequelize';
import type { QuizRepository } from '../data/quizRepository.ts';
import type { SubmissionRepository } from '../data/submissionRepository.ts';
import { submissionGraded } from '../events/submissionGraded.ts';
import type { Submission } from './submission.ts';

interface Dependencies {
  sequelize: Sequelize;
  quizzes: QuizRepository;
  submissions: SubmissionRepository;
  outbox: Outbox;
  idempotency: IdempotencyStore;
  audit: AuditTrail;
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
export function gradeSubmission(
  dependencies: Dependencies,
  grading: Grading,
  { expectedTags, key }: GradingConditions,
): Promise<{ tag: string }> {
  const { sequelize, submissions, idempotency, audit } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const before = await submissions.lock(grading.submissionId, transaction);
    if (!before) throw notFound();
    requireVersion(before, expectedTags);

    const gradedAt = new Date();
    await submissions.addGrading({ ...grading, gradedAt }, transaction);
    const after = hasSameGrade(before, grading)
      ? before
      : await overwriteGrade(dependencies, before, { ...grading, gradedAt }, transaction);
    const object = { type: 'quiz_submission' as const, id: before.id };
    const changes = changesOf(before, after, ['grade', 'totalGrade']);
    await audit.record({ action: 'quiz.graded', object, changes }, transaction);
    const result = { tag: versionTag(after) };
    await idempotency.recordResult(key, result, transaction);
    return result;
  });
}

const hasSameGrade = (before: Submission, { grade, totalGrade }: Grading): boolean =>
  before.grade === grade && before.totalGrade === totalGrade;

async function overwriteGrade(
  { submissions, quizzes, outbox }: Dependencies,
  before: Submission,
  grading: Grading & { gradedAt: Date },
  transaction: Transaction,
): Promise<Submission> {
  const graded = await submissions.setGrade(before, grading, transaction);
  const title = await quizzes.titleOf(graded.quizId, transaction);
  await outbox.add(submissionGraded(graded, title), transaction);
  return graded;
}
