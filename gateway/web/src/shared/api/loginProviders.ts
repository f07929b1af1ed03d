import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from './client.ts';

/** The OpenID providers with which people can sign in. */
export const providersQuery = queryOptions({
  queryKey: ['login providers'],
  queryFn: async ({ signal }) => (await responseOf(api.GET('/api/v3/login/providers', { signal }))).body.data,
});
