import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { EventState } from '../domain/calendarEvents.ts';

type ShownEvent = Pick<EventState, 'kind' | 'itemId' | 'digest'>;

const put = `
  INSERT INTO calendars (owner_id, token_hash) VALUES ($1, $2)
  ON CONFLICT (owner_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = now()`;
const findOwner = 'SELECT owner_id AS "ownerId" FROM calendars WHERE token_hash = $1';
const states = `
  SELECT kind, item_id AS "itemId", uid, encode(digest, 'hex') AS digest, sequence, last_modified AS "lastModified"
  FROM calendar_events WHERE owner_id = $1`;
// The calendar may have been deleted. Only one of two simultaneous requests counts the change.
const save = `
  INSERT INTO calendar_events AS e (owner_id, kind, item_id, digest)
  SELECT c.owner_id, kind, "itemId", decode(given.digest, 'hex')
  FROM calendars c, jsonb_to_recordset($2::jsonb) AS given (kind text, "itemId" integer, digest text)
  WHERE c.owner_id = $1 ORDER BY kind, "itemId"
  ON CONFLICT (owner_id, kind, item_id) DO UPDATE
    SET digest = excluded.digest, sequence = e.sequence + 1, last_modified = now()
    WHERE e.digest <> excluded.digest`;

/** Stores people's calendars and the states of their events. */
export class CalendarRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Stores the token of a calendar, which replaces an earlier one. */
  async put(ownerId: number, tokenHash: Buffer, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: put, values: [ownerId, tokenHash], transaction });
  }

  /** Deletes a calendar. Returns false if there is none. */
  async delete(ownerId: number, transaction: Transaction): Promise<boolean> {
    const sql = 'DELETE FROM calendars WHERE owner_id = $1 RETURNING owner_id';
    return (await query(this.#db, { sql, values: [ownerId], transaction })).length === 1;
  }

  async findOwner(tokenHash: Buffer): Promise<number | undefined> {
    const [row] = await query<{ ownerId: number }>(this.#db, { sql: findOwner, values: [tokenHash] });
    return row?.ownerId;
  }

  states(ownerId: number): Promise<EventState[]> {
    return query<EventState>(this.#db, { sql: states, values: [ownerId] });
  }

  /** Stores the digests of new and changed events. */
  async save(ownerId: number, events: ShownEvent[]): Promise<void> {
    await query(this.#db, { sql: save, values: [ownerId, JSON.stringify(events)] });
  }
}
