import { AppError } from '@gradeway/shared/errors/appError';

/** A student's answer to a quiz: pending until it is graded. */
export interface Submission {
  id: number;
  quizId: number;
  courseId: number;
  studentId: number;
  fileId: number | null;
  /** When the request that brought the present answer sheet was received. */
  submittedAt: Date;
  grade: number | null;
  totalGrade: number | null;
  gradedBy: number | null;
  gradedAt: Date | null;
  revision: number;
}

const isGraded = (submission: Pick<Submission, 'grade'>): boolean => submission.grade !== null;

/** A graded submission takes no other answer sheet (D27). */
export function requirePending(submission: Submission): void {
  if (isGraded(submission)) throw new AppError('conflict', 'Submission already graded');
}
