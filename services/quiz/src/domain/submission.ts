import { AppError } from '@gradeway/shared/errors/appError';
import type { WorkState } from '@gradeway/shared/items/submittedWork';

/** A student's answer to a quiz. It is pending until it is graded. */
export interface Submission {
  id: number;
  quizId: number;
  courseId: number;
  studentId: number;
  /** When the request with the current answer sheet was received. */
  submittedAt: Date;
  grade: number | null;
  totalGrade: number | null;
  gradedBy: number | null;
  gradedAt: Date | null;
  comment: string | null;
  revision: number;
}

/** A submission with the state of its current answer sheet. */
export interface SubmittedSheet extends Submission, WorkState {}

/** A graded submission accepts no other answer sheet (D27). */
export function requireUngraded({ grade }: Pick<Submission, 'grade'>): void {
  if (grade !== null) throw new AppError('conflict', 'Submission already graded');
}
