import type { Sequelize } from 'sequelize';
import { deleteBatchSize } from '../database/deleteInBatches.ts';
import { query } from '../database/query.ts';
import type { Envelope } from './cloudEvent.ts';

/*
 * Always true. The commit of a statement with this condition does not wait for the disk. If a server crash loses a
 * claim or a mark, the relay publishes events twice, and consumers ignore duplicates.
 */
const withoutFlush = "(SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL";

const claim = `
  UPDATE outbox SET claimed_until = now() + interval '30 seconds'
  WHERE ${withoutFlush} AND position IN (
    SELECT position FROM outbox
    WHERE sent_at IS NULL AND (claimed_until IS NULL OR claimed_until < now())
    ORDER BY position LIMIT $1
    FOR UPDATE SKIP LOCKED)
  RETURNING body AS event, traceparent`;

const markSent = `
  UPDATE outbox SET sent_at = now(), claimed_until = NULL WHERE ${withoutFlush} AND event_id = ANY($1::uuid[])`;
const release = 'UPDATE outbox SET claimed_until = NULL WHERE event_id = ANY($1::uuid[]) AND sent_at IS NULL';
// Sent rows stay for seven days, to allow the investigation of incidents.
const purgeSent = `
  DELETE FROM outbox WHERE position IN (
    SELECT position FROM outbox WHERE sent_at < now() - interval '7 days' LIMIT ${deleteBatchSize})
  RETURNING position`;

/** The rows of the outbox: pending (sent_at is null), claimed by a process (claimed_until is in the future) or sent. */
export class OutboxRows {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Claims up to `limit` of the oldest pending events for 30 seconds. Skips rows that another process is claiming. */
  claim(limit: number): Promise<Envelope[]> {
    return query<Envelope>(this.#db, { sql: claim, values: [limit] });
  }

  async markSent(eventIds: string[]): Promise<void> {
    if (eventIds.length > 0) await query(this.#db, { sql: markSent, values: [eventIds] });
  }

  /** Ends the claims on events that have not been sent. */
  async release(eventIds: string[]): Promise<void> {
    if (eventIds.length > 0) await query(this.#db, { sql: release, values: [eventIds] });
  }

  /** Deletes one batch of rows sent more than seven days ago. Returns whether there may be another. */
  async purge(): Promise<boolean> {
    return (await query(this.#db, { sql: purgeSent })).length === deleteBatchSize;
  }
}
