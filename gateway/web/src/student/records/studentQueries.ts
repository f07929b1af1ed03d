import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../shared/api/client.ts';
import type { Course, Grade, Homework, Quiz, QuizSubmission } from './studentTypes.ts';

const largestPage = 100;

/** A list whose items say how many seconds are left, and when it was asked for. */
export interface TimedList<T> {
  items: T[];
  /** By `performance.now()`, which a wrong clock of the device does not move. The request's, so no time is gained. */
  askedAt: number;
}

type Page<T> = { data: T[]; meta: { last_page: number } };
type ReadPage<T> = (query: { page: number; per_page: number }) => Promise<Page<T>>;

/** All pages of a list: a student has few of everything. */
async function readAll<T>(readPage: ReadPage<T>): Promise<TimedList<T>> {
  const askedAt = performance.now();
  const items: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = await readPage({ page, per_page: largestPage });
    items.push(...data);
    if (page >= meta.last_page) return { items, askedAt };
  }
}

// The time left is requested again when the user comes back to the page: the device may have slept.
const current = { staleTime: 5_000, refetchOnWindowFocus: 'always', refetchInterval: 60_000 } as const;

/** The quizzes, and how far the clock of the server is ahead of the device's, in milliseconds. */
export const quizzesQuery = queryOptions({
  queryKey: ['my', 'quizzes'],
  ...current,
  queryFn: async ({ signal }) => {
    let clockOffset = 0;
    const list = await readAll<Quiz>(async (query) => {
      const call = api.GET('/api/v3/quiz/available', { params: { query }, signal });
      const { body } = await answerOf(call);
      const answeredAt = Date.parse((await call).response.headers.get('date') ?? '');
      if (!Number.isNaN(answeredAt)) clockOffset = answeredAt - Date.now();
      return body;
    });
    return { ...list, clockOffset };
  },
});

export const homeworksQuery = queryOptions({
  queryKey: ['my', 'homeworks'],
  ...current,
  queryFn: ({ signal }) =>
    readAll<Homework>(
      async (query) => (await answerOf(api.GET('/api/v3/homeworks', { params: { query }, signal }))).body,
    ),
});

export const quizSubmissionsQuery = queryOptions({
  queryKey: ['my', 'quiz submissions'],
  refetchOnWindowFocus: true,
  queryFn: async ({ signal }) =>
    (
      await readAll<QuizSubmission>(
        async (query) =>
          (
            await answerOf(api.GET('/api/v3/quiz/submissions', { params: { query }, signal }))
          ).body,
      )
    ).items,
});

export const coursesQuery = queryOptions({
  queryKey: ['my', 'courses'],
  queryFn: async ({ signal }) =>
    (
      await readAll<Course>(
        async (query) => (await answerOf(api.GET('/api/v3/courses', { params: { query }, signal }))).body,
      )
    ).items,
});

export const gradesQuery = queryOptions({
  queryKey: ['my', 'grades'],
  refetchOnWindowFocus: true,
  queryFn: async ({ signal }) =>
    (
      await readAll<Grade>(
        async (query) => (await answerOf(api.GET('/api/v3/grades', { params: { query }, signal }))).body,
      )
    ).items,
});

/** Its addresses of files are valid for an hour. */
const withAddresses = { refetchOnWindowFocus: 'always', refetchInterval: 20 * 60_000 } as const;

export const gradedQuizQuery = (id: number) =>
  queryOptions({
    queryKey: ['my', 'quiz submission', id],
    ...withAddresses,
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/api/v3/quiz/submissions/{id}', { params: { path: { id } }, signal }))).body
        .data,
  });

export const gradedHomeworkQuery = (id: number) =>
  queryOptions({
    queryKey: ['my', 'homework submission', id],
    ...withAddresses,
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/api/v3/homeworks/submissions/{id}', { params: { path: { id } }, signal })))
        .body.data,
  });
