import type { Transaction } from 'sequelize';
import type { EventAuditTrail } from '../../audit/auditTrail.ts';
import type { CloudEvent } from '../../events/cloudEvent.ts';
import type { GradedKind } from '../../grading/gradedKind.ts';
import { reviewEvents } from './reviewEvents.ts';
import { countReview } from './reviewMetrics.ts';
import type { ReviewRepository } from './reviewRepository.ts';

interface Dependencies {
  kind: Pick<GradedKind, 'service'>;
  audit: EventAuditTrail;
  reviews: ReviewRepository;
}

/** The answer to the reviews of a question that was removed. */
const removed = 'The question was removed.';

/**
 * Closes the open reviews of questions that the transaction removes from an item. The outline must be locked, so that
 * no more reviews of these questions are opened. Returns the events, which the caller adds to the outbox.
 */
export async function closeReviewsOfQuestions(
  { reviews, ...dependencies }: Dependencies,
  itemId: number,
  questionIds: number[],
  userId: number,
  transaction: Transaction,
): Promise<CloudEvent[]> {
  const closed = await reviews.closeOfQuestions(itemId, questionIds, removed, userId, transaction);
  transaction.afterCommit(() => countReview('removed', closed.length));
  return closed.flatMap((review) => reviewEvents(dependencies, review));
}
