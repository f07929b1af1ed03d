import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';

const maxPageSize = 200;

/**
 * All courses by title, with the number of paid students. A school has a few hundred and this API does not search them,
 * so they are loaded once for searching and choosing.
 */
export const allCoursesQuery = queryOptions({
  queryKey: ['console', 'all courses'],
  queryFn: async ({ signal }) => {
    const all = [];
    for (let page = 1; ; page += 1) {
      const query = { page, per_page: maxPageSize };
      const { data, meta } = (
        await responseOf(api.GET('/api/v3/grading/courses', { params: { query }, signal }))
      ).body;
      all.push(...data);
      if (page >= meta.last_page) return all;
    }
  },
});
