import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Outbox } from '@gradeway/shared/events/outbox';
import { entityTag, matches } from '@gradeway/shared/http/entityTag';
import type { NoteResult } from '@gradeway/shared/http/idempotency';
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
}

export interface Grading {
  submissionId: number;
  grade: number;
  totalGrade: number;
  gradedBy: number;
  /** The `If-Match` of the request: which state of the submission the grader has seen. */
  ifMatch: string | undefined;
}

/** What came of a grading: the submission's tag now, or nothing, because it is not what the grader has seen. */
export type GradingResult = { tag: string; stale?: undefined } | { stale: true };

/**
 * Grades a submission, or grades it again: the later grade overwrites, the history keeps both (D24). A grading
 * that changes nothing is kept as well, but is no news to anybody: no event.
 */
export function gradeSubmission(
  dependencies: Dependencies,
  grading: Grading,
  noteResult: NoteResult<GradingResult>,
): Promise<GradingResult> {
  const { sequelize, submissions } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const before = await submissions.lock(grading.submissionId, transaction);
    if (!before) throw notFound();
    if (!matches(grading.ifMatch, entityTag(before))) return { stale: true };

    const gradedAt = new Date();
    await submissions.addGrading({ ...grading, gradedAt }, transaction);
    const after = isSame(before, grading)
      ? before
      : await overwrite(dependencies, before, { ...grading, gradedAt }, transaction);
    const result = { tag: entityTag(after) };
    await noteResult(result, transaction);
    return result;
  });
}

const isSame = (before: Submission, { grade, totalGrade }: Grading): boolean =>
  before.grade === grade && before.totalGrade === totalGrade;

async function overwrite(
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
