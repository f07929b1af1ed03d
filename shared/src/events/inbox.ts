import type { Sequelize, Transaction } from 'sequelize';
import { deleteBatchSize, deleteInBatches } from '../database/deleteInBatches.ts';
import { selectPrepared } from '../database/preparedQuery.ts';

const insert = `
  INSERT INTO inbox (source, event_id) VALUES ($1, $2)
  ON CONFLICT DO NOTHING
  RETURNING event_id`;

const purge = `
  DELETE FROM inbox WHERE (source, event_id) IN (
    SELECT source, event_id FROM inbox WHERE received_at < now() - interval '30 days' LIMIT ${deleteBatchSize})
  RETURNING event_id`;

/**
 * Records an event in the transaction of its effect. Returns false for a duplicate, whose effect must be skipped. A
 * concurrent delivery of the same event waits for this transaction and then gets false.
 */
export async function recordEvent(
  sequelize: Sequelize,
  event: { source: string; id: string },
  transaction: Transaction,
): Promise<boolean> {
  const rows = await selectPrepared(sequelize, 'inbox', insert, [event.source, event.id], transaction);
  return rows.length === 1;
}

/** Deletes records of events older than 30 days, which no broker delivers again. */
export async function purgeInbox(sequelize: Sequelize, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(sequelize, purge, [], signal);
}
