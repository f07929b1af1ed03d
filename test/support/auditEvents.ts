import type { AuditEntryState } from '@gradeway/shared/events/catalog';
import type { TestDatabase } from './testDatabase.ts';

/** The audit entries that a service has put into its outbox and that contain these fields, oldest first. */
export async function auditEvents(
  database: TestDatabase,
  service: 'courses' | 'homework' | 'quiz',
  where: Partial<AuditEntryState>,
): Promise<AuditEntryState[]> {
  const rows = await database.query<{ data: AuditEntryState }>(
    `SELECT body->'data' AS data FROM ${service}.outbox
     WHERE type = 'audit.recorded.v1' AND body->'data' @> $1::jsonb ORDER BY position`,
    [JSON.stringify(where)],
  );
  return rows.map(({ data }) => data);
}
