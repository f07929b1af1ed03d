import { AppError } from '../../errors/appError.ts';
import { areGradesVisible, type ItemSettings } from '../../items/item.ts';

type Reviewable = Pick<ItemSettings, 'release' | 'releasedAt'> & {
  rule: ItemSettings['reviews'];
  /** Null for an ungraded submission. */
  grade: number | null;
};

/**
 * Requires that a student may ask for a review: from the moment at which the grade is visible. Once an item has been released,
 * also of work that graders left ungraded.
 * @throws AppError 403 `ReviewsClosed`
 */
export function requireReviewsOpen({ rule, grade, ...released }: Reviewable, now: Date): void {
  const isReleased = areGradesVisible(released) && (grade !== null || released.release === 'manual');
  if (!rule || !isReleased || now >= new Date(rule.until)) throw new AppError('forbidden', 'ReviewsClosed');
}
