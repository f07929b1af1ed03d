import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import { saveResponse } from '../../shared/download/saveResponse.ts';
import type { ListPage } from '../../shared/list/PagedList.tsx';
import type { GradebookRow } from './gradebookTable.ts';

const path = '/api/v3/admin/courses/{course_id}/gradebook';

export const gradebookQuery = (courseId: number, page: number) =>
  queryOptions({
    queryKey: ['console', 'gradebook', courseId, page],
    queryFn: async ({ signal }): Promise<ListPage<GradebookRow>> => {
      // The maximum page size, so that most courses print as one page.
      const params = { path: { course_id: courseId }, query: { page, per_page: 200 } };
      // Without `format` the response is JSON, not a file.
      return (await responseOf(api.GET(path, { params, signal }))).body as ListPage<GradebookRow>;
    },
    placeholderData: keepPreviousData,
  });

/** Downloads the whole gradebook, one row per grade. */
export function saveGradebook(courseId: number): Promise<void> {
  const params = { path: { course_id: courseId }, query: { format: 'csv', bom: '1' } as const };
  return saveResponse(api.GET(path, { params, parseAs: 'blob' }), `gradebook-${courseId}.csv`);
}
