import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../shared/api/apiError.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import { maxPageSize, readAll } from '../../shared/api/readAll.ts';
import type { GradingItem, Kind } from '../../shared/api/workTypes.ts';
import { readSheet } from './gradingRequests.ts';
import type { Filter, GradingHistoryEntry, ItemId, Queue, Rubric, Target } from './gradingTypes.ts';

export const itemsQuery = (kind: Kind) =>
  queryOptions({
    queryKey: ['items', kind],
    queryFn: ({ signal }): Promise<GradingItem[]> =>
      readAll(async (page) => {
        const params = { path: { kind }, query: { page, per_page: maxPageSize } };
        return (await responseOf(api.GET('/api/v3/grading/{kind}', { params, signal }))).body;
      }),
  });

/** One item, selected from the list of all items, which most pages have already loaded. */
export const itemQuery = ({ kind, itemId }: ItemId) =>
  queryOptions({
    ...itemsQuery(kind),
    select: (items: GradingItem[]) => {
      const item = items.find(({ id }) => id === itemId);
      if (!item) throw new ApiError(404, 'Not Found');
      return item;
    },
  });

const rowsKey = ({ kind, itemId }: ItemId) => ['rows', kind, itemId] as const;

export const rowsQuery = ({ kind, itemId }: ItemId, { status, search }: Filter, cursor: string | null) =>
  queryOptions({
    queryKey: [...rowsKey({ kind, itemId }), status, search, cursor],
    queryFn: async ({ signal }) => {
      const query = {
        status,
        per_page: maxPageSize,
        ...(search === '' ? {} : { search }),
        ...(cursor === null ? {} : { cursor }),
      };
      const params = { path: { kind, item_id: itemId }, query };
      return (await responseOf(api.GET('/api/v3/grading/{kind}/{item_id}/submissions', { params, signal })))
        .body;
    },
  });

/** The number of submissions and how many of them, or of their answers to a question, are graded. */
export const progressQuery = ({ kind, itemId, questionId }: Queue) =>
  queryOptions({
    queryKey: ['progress', kind, itemId, questionId ?? null],
    queryFn: async ({ signal }) => {
      const query = { per_page: 1, ...(questionId === undefined ? {} : { question_id: questionId }) };
      const params = { path: { kind, item_id: itemId }, query };
      const path = '/api/v3/grading/{kind}/{item_id}/submissions';
      const { total, graded } = (await responseOf(api.GET(path, { params, signal }))).body.meta;
      return { total, graded };
    },
  });

export const sheetKey = (kind: Kind, id: number) => ['sheet', kind, id] as const;

export const sheetQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: sheetKey(kind, id),
    // A sheet that changes while it is being graded is worse than a stale one: saving compares the ETags.
    staleTime: 60_000,
    queryFn: ({ signal }) => readSheet(kind, id, signal),
  });

/** The newest gradings of a submission or an answer, which rarely has more than a few. */
export const historyQuery = ({ kind, id, questionId }: Target) =>
  queryOptions({
    queryKey: ['history', kind, id, questionId ?? null],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const query = { per_page: 50, ...(questionId === undefined ? {} : { question_id: questionId }) };
      const params = { path: { kind, id }, query };
      const path = '/api/v3/grading/{kind}/submissions/{id}/history';
      // The gradings of answers are returned only with `question_id`.
      return (await responseOf(api.GET(path, { params, signal }))).body.data as GradingHistoryEntry[];
    },
  });

/** The rubric with its ETag; null if there is none. `isThere` avoids a request that would return 404. */
export const rubricQuery = ({ kind, itemId }: ItemId, isThere = true) =>
  queryOptions({
    queryKey: ['rubric', kind, itemId],
    queryFn: async ({ signal }) => {
      if (!isThere) return null;
      const params = { path: { kind, item_id: itemId } };
      try {
        const answer = await responseOf(
          api.GET('/api/v3/grading/{kind}/{item_id}/rubric', { params, signal }),
        );
        return { rubric: answer.body.data as Rubric, etag: answer.etag };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });

export const statisticsQuery = ({ kind, itemId }: ItemId) =>
  queryOptions({
    queryKey: ['statistics', kind, itemId],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const params = { path: { kind, item_id: itemId } };
      return (await responseOf(api.GET('/api/v3/grading/{kind}/{item_id}/statistics', { params, signal })))
        .body.data;
    },
  });

export const commentsQuery = (courseId: number | undefined, search: string) =>
  queryOptions({
    queryKey: ['comments', courseId ?? null, search],
    // Every sheet requests the comments. The grader's own additions invalidate them immediately.
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const query = {
        per_page: 50,
        ...(search === '' ? {} : { search }),
        ...(courseId === undefined ? {} : { course_id: courseId }),
      };
      return (await responseOf(api.GET('/api/v3/grading/comments', { params: { query }, signal }))).body.data;
    },
  });
