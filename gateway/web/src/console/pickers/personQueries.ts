import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import type { Role } from '../searchParams.ts';

/** The first users whose name or email address contains a text. */
export const peopleQuery = (search: string, role: Role | undefined) =>
  queryOptions({
    queryKey: ['console', 'people', role ?? null, search],
    queryFn: async ({ signal }) => {
      const query = { search, per_page: 20, ...(role ? { role } : {}) };
      return (await responseOf(api.GET('/api/v3/admin/users', { params: { query }, signal }))).body.data;
    },
  });

export const personQuery = (id: number) =>
  queryOptions({
    queryKey: ['console', 'person', id],
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET('/api/v3/admin/users/{id}', { params: { path: { id } }, signal }))).body.data,
  });
