import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import type { ItemId } from './gradingTypes.ts';

/** The questions of an item, with the ETag. */
export const outlineQuery = ({ kind, itemId }: ItemId) =>
  queryOptions({
    queryKey: ['outline', kind, itemId],
    queryFn: async ({ signal }) => {
      const params = { path: { kind, item_id: itemId } };
      const path = '/api/v3/grading/{kind}/{item_id}/questions';
      const { body, etag } = await responseOf(api.GET(path, { params, signal }));
      return { outline: body.data, etag };
    },
  });
