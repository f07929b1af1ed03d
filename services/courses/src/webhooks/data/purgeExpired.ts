import { deleteBatchSize, deleteInBatches } from '@gradeway/shared/database/deleteInBatches';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';

const deleteExpired = `
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE created_at < now() - $1::float8 * interval '1 millisecond'
    ORDER BY created_at LIMIT ${deleteBatchSize})
  RETURNING id`;

const selectDeletedSubscriptions = 'SELECT id FROM webhook_subscriptions WHERE deleted_at IS NOT NULL';
// One subscription at a time: a join with all deleted ones would read the deliveries of the others.
const deleteOfSubscription = `
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE subscription_id = $1 LIMIT ${deleteBatchSize})
  RETURNING id`;

// A transaction that still sees the subscription as live may be inserting a delivery, hence the minute.
const deleteEmptySubscriptions = `
  DELETE FROM webhook_subscriptions s
  WHERE deleted_at < now() - interval '1 minute'
    AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.subscription_id = s.id)`;

/** Deletes deliveries past their retention, and subscriptions marked as deleted with all of their deliveries. */
export async function purgeExpired(
  sequelize: Sequelize,
  retentionMs: number,
  signal?: AbortSignal,
): Promise<void> {
  await deleteInBatches(sequelize, deleteExpired, [retentionMs], signal);
  for (const { id } of await query<{ id: number }>(sequelize, { sql: selectDeletedSubscriptions }))
    await deleteInBatches(sequelize, deleteOfSubscription, [id], signal);
  await query(sequelize, { sql: deleteEmptySubscriptions });
}
