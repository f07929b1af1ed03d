import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../shared/api/client.ts';
import type { ListPage } from '../list/PagedList.tsx';
import { saveAnswer } from '../school/download.ts';
import type { GradebookRow } from './gradebookTable.ts';

const path = '/api/v3/admin/courses/{course_id}/gradebook';

export const gradebookQuery = (courseId: number, page: number) =>
  queryOptions({
    queryKey: ['console', 'gradebook', courseId, page],
    queryFn: async ({ signal }): Promise<ListPage<GradebookRow>> => {
      // The largest page, so that most courses are printed whole.
      const params = { path: { course_id: courseId }, query: { page, per_page: 200 } };
      // Without `format` it is no file.
      return (await answerOf(api.GET(path, { params, signal }))).body as ListPage<GradebookRow>;
    },
    placeholderData: keepPreviousData,
  });

/** Saves the whole gradebook, with a line for each grade. */
export function saveGradebook(courseId: number): Promise<void> {
  const params = { path: { course_id: courseId }, query: { format: 'csv', bom: '1' } as const };
  return saveAnswer(api.GET(path, { params, parseAs: 'blob' }), `gradebook-${courseId}.csv`);
}
