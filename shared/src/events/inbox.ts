import type { Sequelize, Transaction } from 'sequelize';
import { selectRows } from '../database/connection.ts';

const insert = `
  INSERT INTO inbox (source, event_id) VALUES ($1, $2)
  ON CONFLICT DO NOTHING
  RETURNING event_id`;

const forget = `
  DELETE FROM inbox WHERE (source, event_id) IN (
    SELECT source, event_id FROM inbox WHERE received_at < now() - interval '30 days' LIMIT 1000)`;

/**
 * Notes an event in the transaction of its effect. False when it was noted before: then there is nothing to
 * do. Of two deliveries at once, the second waits for the first to commit, and is told false.
 */
export async function isNew(
  sequelize: Sequelize,
  event: { source: string; id: string },
  transaction: Transaction,
): Promise<boolean> {
  const rows = await selectRows(sequelize, insert, [event.source, event.id], transaction);
  return rows.length === 1;
}

/** Forgets what no broker delivers again any more. */
export async function deleteOldEvents(sequelize: Sequelize): Promise<void> {
  await sequelize.query(forget);
}
