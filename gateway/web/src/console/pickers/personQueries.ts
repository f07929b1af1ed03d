import { queryOptions } from '@tanstack/react-query';
import { api, responseOf } from '../../shared/api/client.ts';
import type { PickerOption } from '../../shared/form/picker/Picker.tsx';
import type { Role } from '../searchParams.ts';

/** Returns the first users whose name or email address contains a text. */
export async function findPeople(
  search: string,
  role: Role | undefined,
  signal: AbortSignal,
): Promise<PickerOption[]> {
  const query = { search, per_page: 20, ...(role ? { role } : {}) };
  const { data } = (await responseOf(api.GET('/api/v3/admin/users', { params: { query }, signal }))).body;
  return data.map(({ id, name, email, mobile }) => ({ id, name, about: email ?? mobile ?? '' }));
}

export const personQuery = (id: number) =>
  queryOptions({
    queryKey: ['console', 'person', id],
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET('/api/v3/admin/users/{id}', { params: { path: { id } }, signal }))).body.data,
  });
