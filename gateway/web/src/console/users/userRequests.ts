import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../shared/api/apiError.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import { saveResponse } from '../../shared/download/saveResponse.ts';
import { listQuery } from '../../shared/list/listQuery.ts';
import type { Role } from '../searchParams.ts';
import type { NewUser, User, UserChange } from './userTypes.ts';

export const usersKey = ['console', 'users'] as const;

/** A page of the accounts, newest first. */
export const usersQuery = (search: string, role: Role | undefined, page: number) =>
  listQuery<User>([...usersKey, search, role ?? null, page], (signal) => {
    const query = { page, ...(search === '' ? {} : { search }), ...(role ? { role } : {}) };
    return responseOf(api.GET('/api/v3/admin/users', { params: { query }, signal }));
  });

export async function createUser(body: NewUser): Promise<User> {
  return (await responseOf(api.POST('/api/v3/admin/users', { body }))).body.data;
}

export async function changeUser(id: number, body: UserChange): Promise<User> {
  const params = { path: { id } };
  return (await responseOf(api.PATCH('/api/v3/admin/users/{id}', { params, body }))).body.data;
}

export async function deleteUser(id: number): Promise<void> {
  await responseOf(api.DELETE('/api/v3/admin/users/{id}', { params: { path: { id } } }));
}

export const savePersonalData = (id: number): Promise<void> =>
  saveResponse(
    api.GET('/api/v3/admin/users/{id}/personal-data', { params: { path: { id } }, parseAs: 'blob' }),
    `person-${id}.zip`,
  );

export async function erasePerson(id: number): Promise<void> {
  await responseOf(api.POST('/api/v3/admin/users/{id}/erasure', { params: { path: { id } } }));
}

const pollEvery = 2_000;

/** The erasure of a user; null if none was requested. Polled until it is done. */
export const erasureQuery = (id: number) =>
  queryOptions({
    queryKey: ['console', 'erasure', id],
    queryFn: async ({ signal }) => {
      try {
        const params = { path: { id } };
        return (await responseOf(api.GET('/api/v3/admin/users/{id}/erasure', { params, signal }))).body.data;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? pollEvery : false),
  });
