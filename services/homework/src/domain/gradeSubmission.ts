import { inTransaction } from '@gradeway/shared/database/connection';
import type { Outbox } from '@gradeway/shared/events/outbox';
import { entityTag, matches } from '@gradeway/shared/http/entityTag';
import type { NoteResult } from '@gradeway/shared/http/idempotency';
import type { Sequelize, Transaction } from 'sequelize';
import type { ProjectionRepository } from '../data/projectionRepository.ts';
import type { SubmissionRepository } from '../data/submissionRepository.ts';
import { submissionGraded } from '../events/submissionGraded.ts';
import { commentAfterGrading } from './commentAfterGrading.ts';
import { homeworkNotFound } from './homework.ts';
import type { Submission } from './submission.ts';

interface Dependencies {
  sequelize: Sequelize;
  projections: ProjectionRepository;
  submissions: SubmissionRepository;
  outbox: Outbox;
}

export interface Grading {
  submissionId: number;
  rating: number;
  /** Undefined when none was given. */
  comment: string | null | undefined;
  gradedBy: number;
  /** The `If-Match` of the request: which state of the submission the grader has seen. */
  ifMatch: string | undefined;
}

/** What came of a grading: the submission's tag now, or nothing, because it is not what the grader has seen. */
export type GradingResult = { tag: string; stale?: undefined } | { stale: true };

/**
 * Grades a submission, or grades it again: the later rating overwrites, the history keeps both (D18). Whether the
 * class still has its assignment, or exists at all, does not matter (D21, D43). A grading that changes nothing is
 * kept as well, but is no news to anybody: no event.
 */
export function gradeSubmission(
  dependencies: Dependencies,
  { submissionId, ifMatch, ...given }: Grading,
  noteResult: NoteResult<GradingResult>,
): Promise<GradingResult> {
  const { sequelize, submissions } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const before = await submissions.lock(submissionId, transaction);
    if (!before) throw homeworkNotFound();
    if (!matches(ifMatch, entityTag(before))) return { stale: true };

    const comment = commentAfterGrading(before.comment, given.comment);
    const grading = { rating: given.rating, comment, gradedBy: given.gradedBy, gradedAt: new Date() };
    await submissions.addGrading({ ...grading, submissionId }, transaction);
    const isSame = before.rating === grading.rating && before.comment === grading.comment;
    const after = isSame ? before : await overwrite(dependencies, before, grading, transaction);
    const result = { tag: entityTag(after) };
    await noteResult(result, transaction);
    return result;
  });
}

async function overwrite(
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
