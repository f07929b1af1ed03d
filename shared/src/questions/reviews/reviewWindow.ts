import { AppError } from '../../errors/appError.ts';
import { areGradesVisible, type ItemSettings } from '../../items/item.ts';

type Reviewable = Pick<ItemSettings, 'release' | 'releasedAt'> & {
  rule: ItemSettings['reviews'];
  /** Null for an ungraded submission. */
  grade: number | null;
};

/**
 * Whether a student may ask for a review: from the moment at which the grade is visible. Once an item has been released,
 * also of work that graders left ungraded.
 */
export function areReviewsOpen({ rule, grade, ...released }: Reviewable, now: Date): boolean {
  const isReleased = areGradesVisible(released) && (grade !== null || released.release === 'manual');
  return rule !== null && isReleased && now < new Date(rule.until);
}

/** @throws AppError 403 `ReviewsClosed` unless a student may ask for a review */
export function requireReviewsOpen(reviewable: Reviewable, now: Date): void {
  if (!areReviewsOpen(reviewable, now))
    throw new AppError('forbidden', 'ReviewsClosed', { reason: 'reviews_closed' });
}
