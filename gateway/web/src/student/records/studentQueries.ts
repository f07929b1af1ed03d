import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import type { Course, Grade, Homework, Quiz, QuizSubmission } from './studentTypes.ts';

const maxPageSize = 100;

/** A list whose items contain the seconds left, with the time of its request. */
export interface TimedList<T> {
  items: T[];
  /**
   * A `performance.now()` time, which a wrong device clock does not affect. Taken at the request, so that no time is
   * gained.
   */
  askedAt: number;
  /** The time of the response, by the server's clock. */
  answeredAt: Date | undefined;
}

type Page<T> = { data: T[]; meta: { last_page: number } };
type ReadPage<T> = (query: {
  page: number;
  per_page: number;
}) => Promise<Page<T> & { answeredAt?: Date | undefined }>;

/** Loads all pages of a list. A student's lists are short. */
async function readAll<T>(readPage: ReadPage<T>): Promise<TimedList<T>> {
  const askedAt = performance.now();
  const items: T[] = [];
  let first: Date | undefined;
  for (let page = 1; ; page += 1) {
    const { data, meta, answeredAt } = await readPage({ page, per_page: maxPageSize });
    first ??= answeredAt;
    items.push(...data);
    if (page >= meta.last_page) return { items, askedAt, answeredAt: first };
  }
}

// The time left is refetched when the user returns to the page, because the device may have been asleep.
const current = { staleTime: 5_000, refetchOnWindowFocus: 'always', refetchInterval: 60_000 } as const;

function serverTime({ headers }: Response): Date | undefined {
  const time = new Date(headers.get('date') ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** The quizzes, and how far the server's clock is ahead of the device's, in milliseconds. */
export const quizzesQuery = queryOptions({
  queryKey: ['my', 'quizzes'],
  ...current,
  queryFn: async ({ signal }) => {
    let clockOffset = 0;
    const list = await readAll<Quiz>(async (query) => {
      const call = api.GET('/api/v3/quiz/available', { params: { query }, signal });
      const { body } = await responseOf(call);
      const answeredAt = serverTime((await call).response);
      if (answeredAt) clockOffset = answeredAt.getTime() - Date.now();
      return { ...body, answeredAt };
    });
    return { ...list, clockOffset };
  },
});

export const homeworksQuery = queryOptions({
  queryKey: ['my', 'homeworks'],
  ...current,
  queryFn: ({ signal }) =>
    readAll<Homework>(async (query) => {
      const call = api.GET('/api/v3/homeworks', { params: { query }, signal });
      const { body } = await responseOf(call);
      return { ...body, answeredAt: serverTime((await call).response) };
    }),
});

export const quizSubmissionsQuery = queryOptions({
  queryKey: ['my', 'quiz submissions'],
  refetchOnWindowFocus: true,
  queryFn: async ({ signal }) =>
    (
      await readAll<QuizSubmission>(
        async (query) =>
          (
            await responseOf(api.GET('/api/v3/quiz/submissions', { params: { query }, signal }))
          ).body,
      )
    ).items,
});

export const coursesQuery = queryOptions({
  queryKey: ['my', 'courses'],
  queryFn: async ({ signal }) =>
    (
      await readAll<Course>(
        async (query) => (await responseOf(api.GET('/api/v3/courses', { params: { query }, signal }))).body,
      )
    ).items,
});

export const gradesQuery = queryOptions({
  queryKey: ['my', 'grades'],
  refetchOnWindowFocus: true,
  queryFn: async ({ signal }) =>
    (
      await readAll<Grade>(
        async (query) => (await responseOf(api.GET('/api/v3/grades', { params: { query }, signal }))).body,
      )
    ).items,
});

/** The signed URLs in the response are valid for an hour. */
const withAddresses = { refetchOnWindowFocus: 'always', refetchInterval: 20 * 60_000 } as const;

export const gradedQuizQuery = (id: number) =>
  queryOptions({
    queryKey: ['my', 'quiz submission', id],
    ...withAddresses,
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET('/api/v3/quiz/submissions/{id}', { params: { path: { id } }, signal }))).body
        .data,
  });

export const gradedHomeworkQuery = (id: number) =>
  queryOptions({
    queryKey: ['my', 'homework submission', id],
    ...withAddresses,
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET('/api/v3/homeworks/submissions/{id}', { params: { path: { id } }, signal })))
        .body.data,
  });
