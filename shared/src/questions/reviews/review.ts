export type ReviewState = 'open' | 'closed';

/** A request to review a grading. */
export interface Review {
  id: number;
  submissionId: number;
  itemId: number;
  /** The course that events name. */
  courseId: number;
  studentId: number;
  /** Null for the whole submission. The question may since have been removed. */
  questionId: number | null;
  text: string;
  state: ReviewState;
  answer: string | null;
  answeredBy: number | null;
  /** The points of the question, or the grade of the submission, when the review was opened; null while it was ungraded. */
  gradeBefore: number | null;
  /** The points or the grade when the review was closed. */
  gradeAfter: number | null;
  createdAt: Date;
  closedAt: Date | null;
  revision: number;
}

/** The entity tag of a review, which does not depend on claims. */
export const reviewTag = ({ id, revision }: Pick<Review, 'id' | 'revision'>): string =>
  `"review-${id}-${revision}"`;
