import { queryOptions } from '@tanstack/react-query';
import type { paths } from '../../../apiTypes/schema.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import { readAll } from '../../shared/api/readAll.ts';
import type { ServiceAccount, ServiceToken } from '../../shared/tokens/tokenTypes.ts';

type Fields<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

export type NewServiceAccount = Fields<'/api/v3/admin/service-accounts', 'post'>;
export type ServiceAccountChange = Fields<'/api/v3/admin/service-accounts/{id}', 'patch'>;

export const serviceAccountsQuery = queryOptions({
  queryKey: ['console', 'service-accounts'],
  staleTime: 0,
  queryFn: ({ signal }): Promise<ServiceAccount[]> =>
    readAll(async (page) => {
      const params = { query: { page } };
      return (await responseOf(api.GET('/api/v3/admin/service-accounts', { params, signal }))).body;
    }),
});

const pathOf = (id: number) => ({ params: { path: { id } } });

/** Returns the first token, which no other response contains. */
export async function createServiceAccount(body: NewServiceAccount): Promise<string> {
  return (await responseOf(api.POST('/api/v3/admin/service-accounts', { body }))).body.data.token;
}

export async function changeServiceAccount(id: number, body: ServiceAccountChange): Promise<void> {
  await responseOf(api.PATCH('/api/v3/admin/service-accounts/{id}', { ...pathOf(id), body }));
}

export async function deleteServiceAccount(id: number): Promise<void> {
  await responseOf(api.DELETE('/api/v3/admin/service-accounts/{id}', pathOf(id)));
}

/** Returns another token. The earlier ones stay valid. */
export async function createServiceToken(id: number, body: { expires_at?: string }): Promise<string> {
  const call = api.POST('/api/v3/admin/service-accounts/{id}/tokens', { ...pathOf(id), body });
  return (await responseOf(call)).body.data.token;
}

export async function endServiceToken(id: number, tokenId: ServiceToken['id']): Promise<void> {
  const params = { path: { id, token_id: tokenId } };
  await responseOf(api.DELETE('/api/v3/admin/service-accounts/{id}/tokens/{token_id}', { params }));
}
