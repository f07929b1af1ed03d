import type { Sequelize } from 'sequelize';
import type { EventAuditTrail } from '../../audit/auditTrail.ts';
import { inTransaction } from '../../database/connection.ts';
import { AppError } from '../../errors/appError.ts';
import type { Outbox } from '../../events/outbox.ts';
import type { GradedKind } from '../../grading/gradedKind.ts';
import type { ReleaseRepository } from '../../items/releaseRepository.ts';
import { unknownQuestion } from '../answerQueueRepository.ts';
import type { AnswerWriter } from '../answerWriter.ts';
import { keepOutline } from '../keepOutline.ts';
import type { Review } from './review.ts';
import { reviewEvents } from './reviewEvents.ts';
import { countReview } from './reviewMetrics.ts';
import type { ReviewRepository } from './reviewRepository.ts';
import type { ReviewRow } from './reviewStatements.ts';
import { requireReviewsOpen } from './reviewWindow.ts';

interface Dependencies {
  sequelize: Sequelize;
  kind: GradedKind;
  audit: EventAuditTrail;
  outbox: Outbox;
  releases: ReleaseRepository;
  answerWriter: AnswerWriter;
  reviews: ReviewRepository;
}

interface NewReview extends Pick<Review, 'submissionId' | 'itemId' | 'questionId' | 'text'> {
  userId: number;
  /** A grader may open reviews for the student at any time, and they do not count towards the limit. */
  isByStudent: boolean;
}

/**
 * Opens a review of a submission, or of its answer to a question.
 * @throws AppError `invalid` for a question that the item does not have, `forbidden` outside the time for reviews, `conflict`
 * when a review of the same work is open, or the student has no reviews left
 */
export function openReview(
  { sequelize, kind, audit, outbox, releases, answerWriter, reviews }: Dependencies,
  { submissionId, itemId, questionId, isByStudent, ...given }: NewReview,
): Promise<ReviewRow> {
  return inTransaction(sequelize, async (transaction) => {
    // The question cannot be removed before the review is committed; a later removal closes the review.
    await keepOutline({ sequelize, releases }, itemId, transaction);
    await answerWriter.lockSubmissions([submissionId], transaction);
    const opening = await reviews.opening(submissionId, questionId, transaction);
    if (!opening) throw kind.specification.notFound();
    if (!opening.hasQuestion) throw unknownQuestion();
    if (isByStudent) requireReviewsOpen(opening, new Date());
    if (opening.hasOpen) throw new AppError('conflict', 'A review is open', { reason: 'review_exists' });
    if (isByStudent && opening.asked >= (opening.rule?.perSubmission ?? 0))
      throw new AppError('conflict', 'No reviews left', { reason: 'reviews_used_up' });
    const opened = { submissionId, questionId, isByStudent, ...given };
    const review = await reviews.find(await reviews.open(opened, transaction), transaction);
    if (!review) throw new Error('the review was not stored');
    await outbox.add(reviewEvents({ kind, audit }, review), transaction);
    transaction.afterCommit(() => countReview(isByStudent ? 'asked' : 'opened'));
    return review;
  });
}
