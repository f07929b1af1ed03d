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
      const { body, etag, at = new Date() } = await responseOf(call);
      return { item: body.data, etag, answeredAt: at };
    },
  });

/** Refetches everything that shows an item or depends on its settings. */
export function useItemRefresh({ kind, itemId }: ItemId): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    const keys = [
      ['items', kind],
      ['rows', kind, itemId],
      ['progress', kind, itemId],
      ['everyone', kind, itemId],
      ['sheet', kind],
    ];
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey });
    await queryClient.invalidateQueries({ queryKey: ['item', kind, itemId] });
  };
}

// Unlike the list of courses, it contains no counts, so a grading does not make it outdated.
const rolesQuery = queryOptions({ ...coursesQuery, queryKey: ['course roles'], staleTime: 5 * 60_000 });

/** The user's role in a course; undefined until it is loaded. */
export function useRole(courseId: number | undefined) {
  const courses = useQuery(rolesQuery);
  return courses.data?.find(({ id }) => id === courseId)?.role;
}

/** Whether the user may change items of a course and decide about its students. Graders may not. */
export const useIsTeacher = (courseId: number | undefined): boolean => useRole(courseId) === 'teacher';
