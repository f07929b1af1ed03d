import { AppError } from '@gradeway/shared/errors/appError';

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

/** A graded submission accepts no other answer sheet (D27). */
export function requireUngraded({ grade }: Submission): void {
  if (grade !== null) throw new AppError('conflict', 'Submission already graded');
}
