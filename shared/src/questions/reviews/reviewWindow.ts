import { AppError } from '../../errors/appError.ts';
import { areGradesVisible, type ItemSettings } from '../../items/item.ts';

type Reviewable = Pick<ItemSettings, 'release' | 'releasedAt'> & {
  rule: ItemSettings['reviews'];
  /** Null for an ungraded submission. */
  grade: number | null;
};

/**
 * Whether a student may ask for a review: as soon as the grade is visible or, for work that graders left ungraded, as
 * soon as the item's grades are released.
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
