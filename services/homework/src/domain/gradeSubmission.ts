import { inTransaction } from '@gradeway/shared/database';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize } from 'sequelize';
import type { ProjectionRepository } from '../data/projectionRepository.ts';
import type { SubmissionRepository } from '../data/submissionRepository.ts';
import { submissionGraded } from '../events/submissionGraded.ts';
import { commentAfterGrading } from './commentAfterGrading.ts';
import { homeworkNotFound } from './homework.ts';

interface Parts {
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
}

/**
 * Grades a submission, or grades it again: the later rating overwrites, the history keeps both (D18). Whether the
 * class still has its assignment, or exists at all, does not matter (D21, D43). A grading that changes nothing is
 * kept as well, but is no news to anybody: no event.
 */
export function gradeSubmission(parts: Parts, { submissionId, ...given }: Grading): Promise<void> {
  const { sequelize, projections, submissions, outbox } = parts;
  return inTransaction(sequelize, async (transaction) => {
    const before = await submissions.lock(submissionId, transaction);
    if (!before) throw homeworkNotFound();
    const comment = commentAfterGrading(before.comment, given.comment);
    const grading = { rating: given.rating, comment, gradedBy: given.gradedBy, gradedAt: new Date() };
    await submissions.addGrading({ ...grading, submissionId }, transaction);
    if (before.rating === grading.rating && before.comment === grading.comment) return;

    const graded = await submissions.setGrade(before, grading, transaction);
    const gradedClass = await projections.classOf(graded.classId, transaction);
    await outbox.add(submissionGraded(graded, gradedClass), transaction);
  });
}
