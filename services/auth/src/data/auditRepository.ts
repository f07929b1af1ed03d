import { type AuditedAction, createAuditEntry } from '@gradeway/shared/audit/auditEntry';
import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { keysetPages } from '@gradeway/shared/database/keysetPages';
import { query } from '@gradeway/shared/database/query';
import type { AuditEntryState } from '@gradeway/shared/events/catalog';
import type { Sequelize, Transaction } from 'sequelize';
import type { AuditFilter, AuditPosition, RecordedEntry } from '../domain/recordedEntry.ts';

/** The columns of an entry, except its session. */
export const auditColumns =
  'entry_id, at, actor_id, actor_role, address, action, object_type, object_id, changes, request_id';

// Another service's entry can arrive after its actor has been erased.
const insert = `
  INSERT INTO audit.entries (session_id, ${auditColumns})
  VALUES ($1, $2, $3, $4, $5,
    CASE WHEN NOT EXISTS (SELECT FROM erasures WHERE user_id = $4) THEN $6 END, $7, $8, $9, $10, $11)
  ON CONFLICT (entry_id) DO NOTHING`;

// Selects the current name: entries store no names, so a deleted account has no name here either.
const newestFirst = (conditions: string[], limit: string) => `
  SELECT e.position::float8 AS id, e.at, e.actor_id AS "actorId", e.actor_role AS "actorRole",
    CASE WHEN u.deleted_at IS NULL THEN coalesce(s.name, concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')))
      END AS "actorName",
    e.session_id AS "sessionId", e.address, e.action, e.object_type AS "objectType", e.object_id AS "objectId",
    e.changes, e.request_id AS "requestId"
  FROM audit.entries e LEFT JOIN users u ON u.id = e.actor_id LEFT JOIN service_accounts s ON s.id = e.actor_id
  WHERE ${['true', ...conditions].join(' AND ')}
  ORDER BY e.at DESC, e.position DESC LIMIT ${limit}`;

const exportedAtOnce = 500;

/** The audit log. Auth has no database permission to change or delete an entry (decision 0035). */
export class AuditRepository implements AuditTrail {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  record(action: AuditedAction, transaction: Transaction): Promise<void> {
    return this.add(createAuditEntry(action), transaction);
  }

  /** Adds an entry unless it already exists: events are delivered at least once. */
  async add(entry: AuditEntryState, transaction: Transaction): Promise<void> {
    const { entry_id, at, actor_id, actor_role, session_id, address, action } = entry;
    const { object_type, object_id, changes, request_id } = entry;
    const bind = [session_id, entry_id, at, actor_id, actor_role, address, action, object_type, object_id];
    const values = [...bind, changes && JSON.stringify(changes), request_id];
    await query(this.#db, { sql: insert, values, transaction });
  }

  /** Returns the matching entries after `after`, newest first. */
  page(filter: AuditFilter, after: AuditPosition | undefined, size: number): Promise<RecordedEntry[]> {
    const values: unknown[] = [];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const conditions = conditionsOf(filter, parameter);
    if (after) conditions.push(`(e.at, e.position) < (${parameter(after.at)}, ${parameter(after.id)})`);
    return query<RecordedEntry>(this.#db, { sql: newestFirst(conditions, parameter(size)), values });
  }

  /** Returns all matching entries in batches, newest first. */
  batches(filter: AuditFilter): AsyncGenerator<RecordedEntry[]> {
    return keysetPages((last) => this.page(filter, last, exportedAtOnce));
  }
}

function conditionsOf(filter: AuditFilter, parameter: (value: unknown) => string): string[] {
  const columns = [
    ['e.actor_id =', filter.actorId],
    ['e.action =', filter.action],
    ['e.object_type =', filter.objectType],
    ['e.object_id =', filter.objectId],
    ['e.at >=', filter.from],
    ['e.at <', filter.to],
  ] as const;
  return columns.flatMap(([comparison, value]) =>
    value === undefined ? [] : [`${comparison} ${parameter(value)}`],
  );
}
