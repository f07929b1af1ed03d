import type { Review } from '../records/studentTypes.ts';
import type { OwnSubmission } from '../submission/useOwnSubmission.ts';

interface Asking {
  submission: Pick<OwnSubmission, 'grading' | 'reviews'>;
  all: Pick<Review, 'question_id' | 'state'>[];
  /** Whether the service has refused a review because none are left. */
  hasEnded: boolean;
}

/** Whether to offer a review of a question, or of the whole submission if the question is null. The service decides. */
export function canAsk(questionId: number | null, { submission, all, hasEnded }: Asking): boolean {
  const { grading, reviews } = submission;
  const isAllowed = reviews === undefined ? grading !== null : reviews !== null && reviews.left > 0;
  const hasOpen = all.some(({ question_id, state }) => question_id === questionId && state === 'open');
  return isAllowed && !hasEnded && !hasOpen;
}
