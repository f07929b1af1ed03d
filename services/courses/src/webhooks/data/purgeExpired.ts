import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize } from 'sequelize';

const batch = 1_000;
// So that a first round after a long time does not take all of the database; the next one goes on.
const mostBatches = 200;

const removeOld = `
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE created_at < now() - $1::float8 * interval '1 millisecond'
    ORDER BY created_at LIMIT ${batch})
  RETURNING id`;

const removeOfDeleted = `
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT d.id FROM webhook_subscriptions s JOIN webhook_deliveries d ON d.subscription_id = s.id
    WHERE s.deleted_at IS NOT NULL LIMIT ${batch})
  RETURNING id`;

// One that was deleted a moment ago may be getting a last delivery, of a transaction that saw it before.
const removeDeleted = `
  DELETE FROM webhook_subscriptions s
  WHERE deleted_at < now() - interval '1 minute'
    AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.subscription_id = s.id)`;

/** Removes deliveries past their time, and what is left of subscriptions that were deleted. */
export async function tidyWebhooks(sequelize: Sequelize, keepMs: number): Promise<void> {
  for (const [sql, bind] of [
    [removeOld, [keepMs]],
    [removeOfDeleted, []],
  ] as const)
    for (let done = 0; done < mostBatches; done += 1)
      if ((await selectRows(sequelize, sql, [...bind])).length < batch) break;
  await sequelize.query(removeDeleted);
}
