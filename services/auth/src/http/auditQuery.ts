import { fieldName, integerText, nullable, recordId, string } from '@gradeway/shared/http/validation';
import { z } from 'zod';
import type { AuditPosition } from '../domain/auditEntry.ts';

const pageSizes = { size: 50, largest: 100 };
const longestText = 100;

const text = nullable(string(longestText)).transform((value) => value ?? undefined);
// RFC 3339, with an offset or `Z`.
const time = nullable(z.iso.datetime({ offset: true })).transform((value) =>
  value ? new Date(value) : undefined,
);
const cursor = nullable(
  string(longestText)
    .transform(parseCursor)
    .refine((position) => position !== undefined, {
      error: (issue) => `The ${fieldName(issue.path)} format is invalid.`,
    }),
).transform((position) => position ?? undefined);

/** Query of the audit log: filters, and a page or a format. */
export const auditQuery = z
  .object({
    actor_id: nullable(recordId()),
    action: text,
    object_type: text,
    object_id: text,
    from: time,
    to: time,
    cursor,
    per_page: integerText(1).default(pageSizes.size),
    format: z.enum(['csv']).optional(),
  })
  .transform((query) => ({
    filter: {
      actorId: query.actor_id ?? undefined,
      action: query.action,
      objectType: query.object_type,
      objectId: query.object_id,
      from: query.from,
      to: query.to,
    },
    cursor: query.cursor,
    size: Math.min(query.per_page, pageSizes.largest),
    format: query.format,
  }));

/** The cursor of the page after this entry. Opaque to clients. */
export const formatCursor = ({ at, id }: AuditPosition): string =>
  Buffer.from(`${at.getTime()}.${id}`).toString('base64url');

function parseCursor(given: string): AuditPosition | undefined {
  const [, at, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(given, 'base64url').toString()) ?? [];
  return at && id ? { at: new Date(Number(at)), id: Number(id) } : undefined;
}
