import type { components } from '../../../apiTypes/schema.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import { listQuery } from '../../shared/list/listQuery.ts';

export type Device = components['schemas']['Device'];

export const devicesKey = (userId: number) => ['console', 'devices', userId] as const;

export const devicesQuery = (userId: number, page: number) =>
  listQuery<Device>([...devicesKey(userId), page], (signal) => {
    const params = { path: { id: userId }, query: { page } };
    return responseOf(api.GET('/api/v3/admin/users/{id}/devices', { params, signal }));
  });

export async function setDisabled(id: number, isDisabled: boolean): Promise<void> {
  const body = { is_disabled: isDisabled };
  await responseOf(api.PATCH('/api/v3/admin/devices/{id}', { params: { path: { id } }, body }));
}

export async function removeDevice(id: number): Promise<void> {
  await responseOf(api.DELETE('/api/v3/admin/devices/{id}', { params: { path: { id } } }));
}
