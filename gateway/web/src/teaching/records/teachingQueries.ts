import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../shared/api/apiError.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import { coursesQuery } from '../../shared/api/ownCourses.ts';
import { maxPageSize, readAll } from '../../shared/api/readAll.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import { saveResponse } from '../../shared/download/saveResponse.ts';
import { listQuery } from '../../shared/list/listQuery.ts';
import type { ListPage } from '../../shared/list/PagedList.tsx';
import type { CourseClass, CourseStudent, Grid, GridStudent, TeamMember } from './teachingTypes.ts';
import { type ListedWork, workItems } from './workItems.ts';

/** One of the user's courses, selected from their list: the API has no request for a single one. */
export const courseQuery = (courseId: number) =>
  queryOptions({
    ...coursesQuery,
    select: (courses) => {
      const course = courses.find(({ id }) => id === courseId);
      if (!course) throw new ApiError(404, 'Not Found');
      return course;
    },
  });

export const workKey = ['work'] as const;

/** The quizzes or assignments of a course, or of all the user's courses, newest first. */
export const workQuery = (kind: Kind, courseId?: number) =>
  queryOptions({
    queryKey: [...workKey, kind, courseId ?? 'all'],
    queryFn: async ({ signal }): Promise<ListedWork> => {
      let servedAt: Date | undefined;
      const read = (state: 'all' | 'open') =>
        readAll(async (page) => {
          const course = courseId === undefined ? {} : { course_id: courseId };
          const params = { path: { kind }, query: { ...course, state, page, per_page: maxPageSize } };
          const { body, at } = await responseOf(api.GET('/api/v3/grading/{kind}', { params, signal }));
          servedAt = at;
          return body;
        });
      const [all, open] = await Promise.all([read('all'), read('open')]);
      return { items: workItems(kind, all, open), servedAt };
    },
  });

export const studentsQuery = (courseId: number, search: string, page: number) =>
  listQuery<CourseStudent>(['course', courseId, 'students', search, page], (signal) => {
    const query = { page, per_page: 50, ...(search === '' ? {} : { search }) };
    const params = { path: { course_id: courseId }, query };
    return responseOf(api.GET('/api/v3/grading/courses/{course_id}/students', { params, signal }));
  });

export const teamKey = (courseId: number) => ['course', courseId, 'team'] as const;

export const teamQuery = (courseId: number, page: number) =>
  listQuery<TeamMember>([...teamKey(courseId), page], (signal) => {
    const params = { path: { course_id: courseId }, query: { page, per_page: 50 } };
    return responseOf(api.GET('/api/v3/grading/courses/{course_id}/instructors', { params, signal }));
  });

/** All classes of a course, newest first. A course has a few dozen. */
export const classesQuery = (courseId: number) =>
  queryOptions({
    queryKey: ['course', courseId, 'classes'],
    queryFn: ({ signal }): Promise<CourseClass[]> =>
      readAll(async (page) => {
        const params = { path: { course_id: courseId }, query: { page, per_page: 100 } };
        return (await responseOf(api.GET('/api/v3/grading/courses/{course_id}/classes', { params, signal })))
          .body;
      }),
  });

const gradebook = '/api/v3/grading/courses/{course_id}/gradebook';

/** A page of the grid: its rows are students, its columns items. */
export interface GridPage extends ListPage<GridStudent> {
  items: Grid['items'];
}

export const gridKey = (courseId: number) => ['course', courseId, 'grid'] as const;

export const gridQuery = (courseId: number, page: number) =>
  queryOptions({
    queryKey: [...gridKey(courseId), page],
    queryFn: async ({ signal }): Promise<GridPage> => {
      // The maximum page size, so that most courses print as one page.
      const query = { format: 'grid', page, per_page: maxPageSize } as const;
      const params = { path: { course_id: courseId }, query };
      const { body } = await responseOf(api.GET(gradebook, { params, signal }));
      const { data, meta } = body as { data: Grid; meta: GridPage['meta'] };
      return { items: data.items, data: data.students, meta };
    },
    placeholderData: keepPreviousData,
  });

/** Downloads the whole grid, one line per student. */
export function saveGrid(courseId: number): Promise<void> {
  const query = { format: 'grid.csv', bom: '1' } as const;
  const params = { path: { course_id: courseId }, query };
  return saveResponse(api.GET(gradebook, { params, parseAs: 'blob' }), `gradebook-${courseId}.csv`);
}
