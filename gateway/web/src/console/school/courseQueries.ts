import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../shared/api/client.ts';

const largestPage = 200;

/**
 * All courses by title, with how many students have paid. A school has some hundred; the interface cannot search them, so they
 * are read once for search and choice.
 */
export const allCoursesQuery = queryOptions({
  queryKey: ['console', 'all courses'],
  queryFn: async ({ signal }) => {
    const all = [];
    for (let page = 1; ; page += 1) {
      const query = { page, per_page: largestPage };
      const { data, meta } = (
        await answerOf(api.GET('/api/v3/grading/courses', { params: { query }, signal }))
      ).body;
      all.push(...data);
      if (page >= meta.last_page) return all;
    }
  },
});
