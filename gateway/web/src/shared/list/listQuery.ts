import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { ListPage } from './PagedList.tsx';

/** Reads a page of a list. The previous page stays visible while the next one loads. */
export const listQuery = <T>(
  queryKey: QueryKey,
  read: (signal: AbortSignal) => Promise<{ body: ListPage<T> }>,
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => (await read(signal)).body,
    placeholderData: keepPreviousData,
  });
