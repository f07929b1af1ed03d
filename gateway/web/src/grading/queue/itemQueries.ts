import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import { coursesQuery } from '../../shared/api/ownCourses.ts';
import type { Item, ItemId } from './gradingTypes.ts';

/** A version of an item, with its ETag and the time of the response by the server's clock. */
export interface DescribedItem {
  item: Item;
  etag: string;
  answeredAt: Date;
}

/** An item with its settings. Refetching it renews the signed URL of its PDF. */
export const describedItemQuery = ({ kind, itemId }: ItemId) =>
  queryOptions({
    queryKey: ['item', kind, itemId],
    staleTime: 300_000,
    queryFn: async ({ signal }): Promise<DescribedItem> => {
      const params = { path: { kind, item_id: itemId } };
      const call = api.GET('/api/v3/grading/{kind}/{item_id}', { params, signal });
      const { body, etag } = await responseOf(call);
      const date = (await call).response.headers.get('date');
      return { item: body.data, etag, answeredAt: date === null ? new Date() : new Date(date) };
    },
  });

/** Refetches everything that shows an item or depends on its settings. */
export function useItemRefresh({ kind, itemId }: ItemId): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    const keys = [
      ['items', kind],
      ['rows', kind, itemId],
      ['everyone', kind, itemId],
      ['sheet', kind],
    ];
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
    await queryClient.invalidateQueries({ queryKey: ['item', kind, itemId] });
  };
}

// Unlike the list of courses, it contains no counts, so a grading does not make it outdated.
const rolesQuery = queryOptions({ ...coursesQuery, queryKey: ['course roles'], staleTime: 5 * 60_000 });

/** Whether the user may change the items of a course and manage its students. Graders may not. */
export function useIsTeacher(courseId: number | undefined): boolean {
  const courses = useQuery(rolesQuery);
  return courses.data?.find(({ id }) => id === courseId)?.role === 'teacher';
}
