import { notFound } from '@gradeway/shared/appError';
import { inTransaction } from '@gradeway/shared/database';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize } from 'sequelize';
import type { QuizRepository } from '../data/quizRepository.ts';
import type { SubmissionRepository } from '../data/submissionRepository.ts';
import { submissionGraded } from '../events/submissionGraded.ts';
import type { Submission } from './submission.ts';

interface Parts {
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
}

/**
 * Grades a submission, or grades it again: the later grade overwrites, the history keeps both (D24). A grading
 * that changes nothing is kept as well, but is no news to anybody: no event.
 */
export function gradeSubmission(parts: Parts, grading: Grading): Promise<Submission> {
  const { sequelize, submissions, quizzes, outbox } = parts;
  return inTransaction(sequelize, async (transaction) => {
    const before = await submissions.lock(grading.submissionId, transaction);
    if (!before) throw notFound();
    const gradedAt = new Date();
    await submissions.addGrading({ ...grading, gradedAt }, transaction);
    if (before.grade === grading.grade && before.totalGrade === grading.totalGrade) return before;

    const graded = await submissions.setGrade(before, { ...grading, gradedAt }, transaction);
    const title = await quizzes.titleOf(graded.quizId, transaction);
    await outbox.add(submissionGraded(graded, title), transaction);
    return graded;
  });
}
