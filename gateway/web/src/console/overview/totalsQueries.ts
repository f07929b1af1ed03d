import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';

const query = { per_page: 1 };

export const totalsQueries = {
  courses: queryOptions({
    queryKey: ['console', 'courses', 'total'],
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET('/api/v3/admin/courses', { params: { query }, signal }))).body.meta.total,
  }),
  users: queryOptions({
    queryKey: ['console', 'users', 'total'],
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET('/api/v3/admin/users', { params: { query }, signal }))).body.meta.total,
  }),
  webhooks: queryOptions({
    queryKey: ['console', 'webhooks', 'total'],
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET('/api/v3/admin/webhooks', { params: { query }, signal }))).body.meta.total,
  }),
};
