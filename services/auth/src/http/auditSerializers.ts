import { escapeCsvFormula, toCsv } from '@gradeway/shared/csv/writeCsv';
import type { Clock } from '@gradeway/shared/http/timestamps';
import { deletedUserName } from '@gradeway/shared/projections/deletedUserName';
import type { RecordedEntry } from '../domain/auditEntry.ts';

/** Serializes an entry of the audit log. */
export const auditView = (entry: RecordedEntry, clock: Clock) => ({
  id: entry.id,
  at: clock.format(entry.at),
  actor:
    entry.actorId === null
      ? null
      : { id: entry.actorId, name: entry.actorName ?? deletedUserName, role: entry.actorRole },
  session_id: entry.sessionId,
  address: entry.address,
  action: entry.action,
  object: entry.objectType === null ? null : { type: entry.objectType, id: objectId(entry.objectId) },
  changes: entry.changes,
  request_id: entry.requestId,
});

// Stored as text, because the ids of some records are not numbers.
const objectId = (id: string | null) => (id !== null && /^\d{1,15}$/.test(id) ? Number(id) : id);

const columns = [
  'id',
  'at',
  'actor_id',
  'actor_name',
  'actor_role',
  'session_id',
  'address',
  'action',
  'object_type',
  'object_id',
  'changes',
  'request_id',
];

/** Streams entries as CSV (RFC 4180). `changes` is JSON. */
export async function* auditCsv(
  batches: AsyncGenerator<RecordedEntry[]>,
  clock: Clock,
): AsyncGenerator<string> {
  yield toCsv([columns]);
  for await (const entries of batches) yield toCsv(entries.map((entry) => csvRow(auditView(entry, clock))));
}

const csvRow = ({ actor, object, changes, ...entry }: ReturnType<typeof auditView>) => [
  entry.id,
  entry.at,
  actor?.id ?? null,
  escapeCsvFormula(actor?.name ?? ''),
  actor?.role ?? null,
  entry.session_id,
  entry.address,
  entry.action,
  object?.type ?? null,
  object?.id ?? null,
  changes && JSON.stringify(changes),
  entry.request_id,
];
