import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from '../../../apiTypes/schema.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import { saveResponse } from '../../shared/download/saveResponse.ts';
import { utcTimeOf } from '../../shared/time/moment.ts';
import type { AuditParams } from '../searchParams.ts';

export type AuditEntry = components['schemas']['AuditEntry'];
type AuditPage = components['schemas']['AuditPage'];

/** Converts the filters in the URL to API parameters. */
function queryOf({ actor, action, type, object, from, to, cursor }: AuditParams) {
  return {
    ...(actor === undefined ? {} : { actor_id: actor }),
    ...(action === undefined ? {} : { action }),
    ...(type === undefined ? {} : { object_type: type }),
    ...(object === undefined ? {} : { object_id: object }),
    ...(from === undefined ? {} : { from: utcTimeOf(from) }),
    ...(to === undefined ? {} : { to: utcTimeOf(to) }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** A page of the log, newest first, with the cursor of the next page. */
export const auditQuery = (address: AuditParams) =>
  queryOptions({
    queryKey: ['console', 'audit', address],
    queryFn: async ({ signal }) => {
      const params = { query: queryOf(address) };
      const { body } = await responseOf(api.GET('/api/v3/admin/audit', { params, signal }));
      // Without `format` the response is JSON, not a file.
      const { data, links } = body as AuditPage;
      const next = links.next === null ? undefined : new URL(links.next).searchParams.get('cursor');
      return { entries: data, next: next ?? undefined };
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Downloads all entries that match the filters. */
export function saveAudit({ cursor: _, ...filters }: AuditParams): Promise<void> {
  const params = { query: { ...queryOf(filters), format: 'csv', bom: '1' } as const };
  return saveResponse(api.GET('/api/v3/admin/audit', { params, parseAs: 'blob' }), 'audit-log.csv');
}
