import { queryOptions } from '@tanstack/react-query';
import type { components } from '../../../apiTypes/schema.ts';
import { api, responseOf } from './client.ts';
import { readAll } from './readAll.ts';

export type Identity = components['schemas']['OwnIdentity'];

/** The identities at providers with which the user signs in. */
export const identitiesQuery = queryOptions({
  queryKey: ['account', 'identities'],
  staleTime: 0,
  queryFn: ({ signal }): Promise<Identity[]> =>
    readAll(async (page) => {
      const params = { query: { page } };
      return (await responseOf(api.GET('/api/v3/me/identities', { params, signal }))).body;
    }),
});
