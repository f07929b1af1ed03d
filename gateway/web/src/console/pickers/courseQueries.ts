import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import { maxPageSize, readAll } from '../../shared/api/readAll.ts';

/**
 * All courses by title, with the number of paid students. A school has a few hundred and this API does not search them,
 * so they are loaded once for searching and choosing.
 */
export const allCoursesQuery = queryOptions({
  queryKey: ['console', 'all courses'],
  queryFn: ({ signal }) =>
    readAll(async (page) => {
      const params = { query: { page, per_page: maxPageSize } };
      return (await responseOf(api.GET('/api/v3/grading/courses', { params, signal }))).body;
    }),
});
