import type { Sequelize } from 'sequelize';
import type { EventAuditTrail } from '../../audit/auditTrail.ts';
import { inTransaction } from '../../database/connection.ts';
import { AppError, notFound } from '../../errors/appError.ts';
import type { Outbox } from '../../events/outbox.ts';
import { ChangedMeanwhile } from '../../grading/changedMeanwhile.ts';
import { isExpected } from '../../grading/entityTags.ts';
import type { GradedKind } from '../../grading/gradedKind.ts';
import { reviewTag } from './review.ts';
import { reviewEvents } from './reviewEvents.ts';
import { countReview } from './reviewMetrics.ts';
import type { ReviewRepository } from './reviewRepository.ts';
import type { ReviewRow } from './reviewStatements.ts';

interface Dependencies {
  sequelize: Sequelize;
  kind: GradedKind;
  audit: EventAuditTrail;
  outbox: Outbox;
  reviews: ReviewRepository;
}

/**
 * Closes a review with an answer to the student. The grade stays unless it was changed in the meantime.
 * @throws ChangedMeanwhile when the review is not in one of the expected states
 * @throws AppError `conflict` when it is already closed
 */
export function closeReview(
  { sequelize, kind, audit, outbox, reviews }: Dependencies,
  id: number,
  answer: string,
  userId: number,
  expected: string[] | 'any',
): Promise<ReviewRow> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await reviews.lock(id, transaction);
    if (!before) throw notFound();
    if (!isExpected(expected, reviewTag(before))) throw new ChangedMeanwhile(before);
    if (before.state === 'closed')
      throw new AppError('conflict', 'The review is closed', { reason: 'review_closed' });
    await reviews.close(id, answer, userId, transaction);
    const after = await reviews.find(id, transaction);
    if (!after) throw notFound();
    await outbox.add(reviewEvents({ kind, audit }, after), transaction);
    transaction.afterCommit(() => countReview('closed'));
    return after;
  });
}
