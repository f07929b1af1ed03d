import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import type { StudentState } from './studentState.ts';

export interface EveryoneFilter {
  state: StudentState | undefined;
  search: string;
}

/** One page of an item's students, with counts over all students. */
export const everyoneQuery = (
  { kind, itemId }: ItemId,
  { state, search }: EveryoneFilter,
  cursor: string | undefined,
) =>
  queryOptions({
    queryKey: ['everyone', kind, itemId, state ?? null, search, cursor ?? null],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = {
        per_page: 50,
        ...(state === undefined ? {} : { state }),
        ...(search === '' ? {} : { search }),
        ...(cursor === undefined ? {} : { cursor }),
      };
      const params = { path: { kind, item_id: itemId }, query };
      return (await responseOf(api.GET('/api/v3/grading/{kind}/{item_id}/students', { params, signal })))
        .body;
    },
  });

/** Returns the cursor in the link to the next page. */
export const cursorIn = (next: string | null): string | undefined =>
  next === null ? undefined : (new URL(next, location.origin).searchParams.get('cursor') ?? undefined);
