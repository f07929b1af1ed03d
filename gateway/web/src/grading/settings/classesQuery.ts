import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import { readAll } from '../../shared/api/readAll.ts';

/** The classes of a course. A course has a few dozen. */
export const classesQuery = (courseId: number) =>
  queryOptions({
    queryKey: ['classes', courseId],
    queryFn: ({ signal }) =>
      readAll<{ id: number; title: string }>(async (page) => {
        const params = { path: { course_id: courseId }, query: { page } };
        return (await responseOf(api.GET('/api/v3/grading/courses/{course_id}/classes', { params, signal })))
          .body;
      }),
  });
