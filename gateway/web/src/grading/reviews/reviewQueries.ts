import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import { maxPageSize, readAll } from '../../shared/api/readAll.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import { listQuery } from '../../shared/list/listQuery.ts';
import type { ItemId, Review } from '../queue/gradingTypes.ts';

export type ReviewFilter = 'open' | 'closed' | 'all';

const reviewsPath = '/api/v3/grading/{kind}/{item_id}/reviews';
const reviewsKey = ({ kind, itemId }: ItemId) => ['reviews', kind, itemId] as const;

/** One page of an item's reviews, open ones first. */
export const reviewsQuery = (item: ItemId, state: ReviewFilter, page: number) => ({
  ...listQuery<Review>([...reviewsKey(item), state, page], (signal) => {
    const path = { kind: item.kind, item_id: item.itemId };
    return responseOf(
      api.GET(reviewsPath, { params: { path, query: { state, page, per_page: 50 } }, signal }),
    );
  }),
  staleTime: 0,
});

/** All open reviews of an item, which the desk shows beside the work. */
export const openReviewsQuery = (item: ItemId) =>
  queryOptions({
    queryKey: [...reviewsKey(item), 'desk'],
    staleTime: 60_000,
    queryFn: ({ signal }): Promise<Review[]> =>
      readAll(async (page) => {
        const path = { kind: item.kind, item_id: item.itemId };
        const query = { state: 'open' as const, page, per_page: maxPageSize };
        return (await responseOf(api.GET(reviewsPath, { params: { path, query }, signal }))).body;
      }),
  });

/** Claims the oldest open review; undefined when none are left. */
export async function claimNextReview({ kind, itemId }: ItemId): Promise<Review | undefined> {
  const params = { path: { kind, item_id: itemId } };
  const call = api.POST('/api/v3/grading/{kind}/{item_id}/reviews/next', { params });
  const { response } = await call;
  const { body } = await responseOf(call);
  return response.status === 204 ? undefined : body.data;
}

/** Answers and closes the version of a review that its tag names. */
export async function closeReview(kind: Kind, { id, tag }: Review, answer: string): Promise<void> {
  const params = { path: { kind, id }, header: { 'If-Match': tag } };
  const body = { state: 'closed' as const, answer };
  await responseOf(api.PUT('/api/v3/grading/{kind}/reviews/{id}', { params, body }));
}

/** Reloads the reviews after one has changed. */
export const refreshReviews = (queryClient: QueryClient, item: ItemId): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: reviewsKey(item) });
