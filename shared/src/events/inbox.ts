import type { Sequelize, Transaction } from 'sequelize';
import { deleteBatchSize, deleteInBatches } from '../database/deleteInBatches.ts';
import { query } from '../database/query.ts';

const insert = `
  INSERT INTO inbox (source, event_id)
  SELECT source, event_id FROM unnest($1::text[], $2::text[]) AS events (source, event_id) ORDER BY 1, 2
  ON CONFLICT DO NOTHING
  RETURNING source, event_id AS id`;

const purge = `
  DELETE FROM inbox WHERE (source, event_id) IN (
    SELECT source, event_id FROM inbox WHERE received_at < now() - interval '30 days' LIMIT ${deleteBatchSize})
  RETURNING event_id`;

interface EventKey {
  source: string;
  id: string;
}

const keyOf = ({ source, id }: EventKey): string => JSON.stringify([source, id]);

/**
 * Records events in the transaction of their effect. Returns only the new ones; the effect of duplicates must be
 * skipped. A concurrent delivery of the same event waits for this transaction.
 */
export async function recordEvents<Event extends EventKey>(
  sequelize: Sequelize,
  events: Event[],
  transaction: Transaction,
): Promise<Event[]> {
  const values = [events.map(({ source }) => source), events.map(({ id }) => id)];
  const rows = await query<EventKey>(sequelize, { name: 'inbox', sql: insert, values, transaction });
  const added = new Set(rows.map(keyOf));
  // The same event can occur twice in one batch.
  return events.filter((event) => added.delete(keyOf(event)));
}

/** Deletes records of events older than 30 days, which no broker redelivers. */
export async function purgeInbox(sequelize: Sequelize, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(sequelize, purge, [], signal);
}
