import { counter } from '../../metrics/registry.ts';

const changes = ['asked', 'opened', 'closed', 'removed'] as const;

const reviews = counter(
  'gradeway_reviews_total',
  'Reviews: asked for by a student; opened by a grader; closed by a grader; closed because their question was removed',
  ['change'],
);

/** Exports every change before it first occurs. */
export function declareReviews(): void {
  for (const change of changes) reviews.inc({ change }, 0);
}

export const countReview = (change: (typeof changes)[number], count = 1): void =>
  reviews.inc({ change }, count);
