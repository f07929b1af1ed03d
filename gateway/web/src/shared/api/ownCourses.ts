import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from './client.ts';
import { maxPageSize, readAll } from './readAll.ts';

/** The courses that the user teaches or grades; all courses for an administrator. */
export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  queryFn: ({ signal }) =>
    readAll(async (page) => {
      const query = { page, per_page: maxPageSize };
      return (await responseOf(api.GET('/api/v3/grading/courses', { params: { query }, signal }))).body;
    }),
});
