import { formatUtc } from '../../http/timestamps.ts';
import { deletedUserName } from '../../projections/deletedUserName.ts';
import { type Review, reviewTag } from './review.ts';
import type { ReviewRow } from './reviewStatements.ts';

const timeOrNull = (time: Date | null): string | null => time && formatUtc(time);

const common = (review: Review) => ({
  id: review.id,
  submission_id: review.submissionId,
  question_id: review.questionId,
  text: review.text,
  state: review.state,
  answer: review.answer,
  created_at: formatUtc(review.createdAt),
  closed_at: timeOrNull(review.closedAt),
  tag: reviewTag(review),
});

/** A review as graders see it. */
export const serializeReview = (review: ReviewRow) => ({
  ...common(review),
  label: review.label,
  student: {
    id: review.code === null ? review.studentId : null,
    name: review.studentName ?? deletedUserName,
    email: review.studentEmail ?? '',
  },
  answered_by:
    review.answeredBy === null
      ? null
      : { id: review.answeredBy, name: review.answererName ?? deletedUserName },
  grade_before: review.gradeBefore,
  grade_after: review.gradeAfter,
});

/**
 * A review as its student sees it, without the name of the grader.
 * @param isGradeShown whether the student currently sees the grade of the submission
 */
export const serializeOwnReview = (review: Review, isGradeShown: boolean) => ({
  ...common(review),
  grade_before: isGradeShown ? review.gradeBefore : null,
  grade_after: isGradeShown ? review.gradeAfter : null,
});
