import { historyPage } from '@gradeway/shared/http/pagination';
import { fieldName, flag, integerText, recordId, string } from '@gradeway/shared/http/validation';
import { z } from 'zod';
import type { AuditPosition } from '../domain/auditEntry.ts';

const longestText = 100;

const text = string(longestText).optional();
// RFC 3339.
const time = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .optional();

const cursor = z
  .string()
  .transform(parseCursor)
  .refine((position) => position !== undefined, {
    error: (issue) => `The ${fieldName(issue.path)} format is invalid.`,
  })
  .optional();

/** Query parameters of the audit log: filters, and a page or a format. */
export const auditQuery = z
  .object({
    actor_id: recordId().optional(),
    action: text,
    object_type: text,
    object_id: text,
    from: time,
    to: time,
    cursor,
    per_page: integerText(1).default(historyPage.size),
    format: z.enum(['csv']).optional(),
    bom: flag.default(false),
  })
  .transform((query) => ({
    filter: {
      actorId: query.actor_id,
      action: query.action || undefined,
      objectType: query.object_type || undefined,
      objectId: query.object_id || undefined,
      from: query.from,
      to: query.to,
    },
    cursor: query.cursor,
    size: Math.min(query.per_page, historyPage.max),
    format: query.format,
    bom: query.bom,
  }));

/** Returns the cursor of the page after this entry. Clients must not interpret it. */
export const formatCursor = ({ at, id }: AuditPosition): string => `${at.getTime()}.${id}`;

function parseCursor(given: string): AuditPosition | undefined {
  const [, at, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(given) ?? [];
  return at && id ? { at: new Date(Number(at)), id: Number(id) } : undefined;
}
