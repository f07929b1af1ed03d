import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import type { GradingItem, Kind } from '../../shared/api/workTypes.ts';
import { listQuery } from '../../shared/list/listQuery.ts';
import type { ListPage } from '../../shared/list/PagedList.tsx';
import { allCoursesQuery } from '../pickers/courseQueries.ts';
import type { CourseClass, CoursePerson } from './courseTypes.ts';
import { foundCourses } from './foundCourses.ts';

/** The queries that a change to a course invalidates. */
export const coursesKey = ['console', 'courses'] as const;
export const courseKey = (id: number) => ['console', 'course', id] as const;

export interface ListedCourse {
  id: number;
  title: string;
  /** Absent in search results. */
  created_at?: string;
}

/** A page of all courses, newest first. */
export const coursesQuery = (page: number) =>
  listQuery<ListedCourse>([...coursesKey, page], (signal) =>
    responseOf(api.GET('/api/v3/admin/courses', { params: { query: { page } }, signal })),
  );

/** A page of the courses whose title contains a text. */
export const foundCoursesQuery = (search: string, page: number) =>
  queryOptions({
    ...allCoursesQuery,
    select: (all: ListedCourse[]): ListPage<ListedCourse> => foundCourses(all, search, page),
  });

export const courseQuery = (id: number) =>
  queryOptions({
    queryKey: courseKey(id),
    queryFn: async ({ signal }) => {
      const params = { path: { course_id: id } };
      return (await responseOf(api.GET('/api/v3/admin/courses/{course_id}', { params, signal }))).body.data;
    },
  });

export const classesQuery = (id: number, page: number) =>
  listQuery<CourseClass>([...courseKey(id), 'classes', page], (signal) => {
    const params = { path: { course_id: id }, query: { page } };
    return responseOf(api.GET('/api/v3/admin/courses/{course_id}/classes', { params, signal }));
  });

/** A page of a course's quizzes, newest first. */
export const quizzesQuery = (id: number, page: number) =>
  listQuery<GradingItem>([...courseKey(id), 'quizzes', page], (signal) => {
    const params = { path: { kind: 'quizzes' as const }, query: { course_id: id, page, per_page: 20 } };
    return responseOf(api.GET('/api/v3/grading/{kind}', { params, signal }));
  });

/** A quiz or a class's assignment with all of its stored fields, for the edit dialog. */
export const describedItemQuery = (courseId: number, kind: Kind, id: number) =>
  queryOptions({
    // Separate from the lists, whose keys end with a page number.
    queryKey: [...courseKey(courseId), 'item', kind, id],
    // The dialog must show the values that it would overwrite.
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const params = { path: { kind, item_id: id } };
      return (await responseOf(api.GET('/api/v3/grading/{kind}/{item_id}', { params, signal }))).body.data;
    },
  });

/** The assignments of a course, by class. A course has a few dozen. */
export const assignmentsQuery = (id: number) =>
  queryOptions({
    queryKey: [...courseKey(id), 'assignments'],
    queryFn: async ({ signal }) => {
      const byClass = new Map<number, GradingItem>();
      for (let page = 1; ; page += 1) {
        const query = { course_id: id, page, per_page: 200 };
        const params = { path: { kind: 'homeworks' as const }, query };
        const { data, meta } = (await responseOf(api.GET('/api/v3/grading/{kind}', { params, signal }))).body;
        for (const item of data) byClass.set(item.id, item);
        if (page >= meta.last_page) return byClass;
      }
    },
  });

export const studentsQuery = (id: number, search: string, page: number) =>
  listQuery<CoursePerson>([...courseKey(id), 'students', search, page], (signal) => {
    const query = { page, per_page: 20, ...(search === '' ? {} : { search }) };
    const params = { path: { course_id: id }, query };
    return responseOf(api.GET('/api/v3/admin/courses/{course_id}/students', { params, signal }));
  });

export const instructorsQuery = (id: number, page: number) =>
  listQuery<CoursePerson>([...courseKey(id), 'instructors', page], (signal) => {
    const params = { path: { course_id: id }, query: { page, per_page: 20 } };
    return responseOf(api.GET('/api/v3/admin/courses/{course_id}/instructors', { params, signal }));
  });
