import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from '../../../apiTypes/schema.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import type { ListPage } from '../list/PagedList.tsx';

export type Device = components['schemas']['Device'];

export const devicesKey = (userId: number) => ['console', 'devices', userId] as const;

export const devicesQuery = (userId: number, page: number) =>
  queryOptions({
    queryKey: [...devicesKey(userId), page],
    queryFn: async ({ signal }): Promise<ListPage<Device>> => {
      const params = { path: { id: userId }, query: { page } };
      return (await responseOf(api.GET('/api/v3/admin/users/{id}/devices', { params, signal }))).body;
    },
    placeholderData: keepPreviousData,
  });

export async function setDisabled(id: number, isDisabled: boolean): Promise<void> {
  const body = { is_disabled: isDisabled };
  await responseOf(api.PATCH('/api/v3/admin/devices/{id}', { params: { path: { id } }, body }));
}

export async function removeDevice(id: number): Promise<void> {
  await responseOf(api.DELETE('/api/v3/admin/devices/{id}', { params: { path: { id } } }));
}
