import { AppError } from '@gradeway/shared/errors/appError';

/** What a student handed in for a class: not reviewed until it has a rating. */
export interface Submission {
  id: number;
  classId: number;
  studentId: number;
  /** When the request that brought the present files was received. */
  submittedAt: Date;
  rating: number | null;
  comment: string | null;
  gradedBy: number | null;
  gradedAt: Date | null;
  revision: number;
}

export const isReviewed = (submission: Pick<Submission, 'rating'>): boolean => submission.rating !== null;

/** A reviewed submission takes no other files. */
export function requireNotReviewed(submission: Submission): void {
  if (isReviewed(submission)) throw new AppError('conflict', 'Submission already graded');
}
