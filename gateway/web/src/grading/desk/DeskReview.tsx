import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { ItemId, Target } from '../queue/gradingTypes.ts';
import { describedItemQuery } from '../queue/itemQueries.ts';
import { openReviewsQuery } from '../reviews/reviewQueries.ts';

const ReviewForm = lazy(async () => ({ default: (await import('../reviews/ReviewForm.tsx')).ReviewForm }));

/** The open reviews of a submission or answer. Students cannot ask for one before the release. */
export function DeskReview({ item, target }: { item: ItemId; target: Target }) {
  const about = useQuery(describedItemQuery(item)).data?.item;
  // While the services are being updated, a response from the previous version has no setting.
  const mayBe = about !== undefined && ((about.reviews ?? null) !== null || about.released_at !== null);
  const reviews = useQuery({ ...openReviewsQuery(item), enabled: mayBe });
  const own = reviews.data?.filter(
    ({ submission_id, question_id }) =>
      submission_id === target.id && (question_id === null || question_id === target.questionId),
  );
  if (!own?.length) return null;
  return (
    <Suspense fallback={null}>
      {own.map((review) => (
        <ReviewForm key={review.id} item={item} review={review} />
      ))}
    </Suspense>
  );
}
