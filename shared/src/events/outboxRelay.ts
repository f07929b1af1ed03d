import type { Sequelize } from 'sequelize';
import { selectRows } from '../database/connection.ts';
import { deleteBatchSize } from '../database/deleteInBatches.ts';
import { countPublished, countPublishFailure } from '../metrics/outbox.ts';
import type { Logger } from '../process/logger.ts';
import { type Polling, startPolling } from '../process/polling.ts';
import type { EventPublisher } from './broker.ts';
import type { CloudEvent } from './cloudEvent.ts';

interface Row {
  position: string;
  body: CloudEvent;
  traceparent: string | null;
}

/*
 * True. The commit of a statement with this condition does not wait for the disk: after a crash of the server a lost claim or
 * mark lets the relay publish events twice, which consumers ignore anyway.
 */
const withoutFlush = "(SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL";

/*
 * A row of the outbox is pending (sent_at is null), claimed (claimed_until lies in the future) or sent.
 *
 * A relay claims a batch for 30 seconds, publishes it outside any transaction (a slow broker must not hold a lock or a
 * connection) and marks the events that the broker has confirmed. Relays of several replicas skip each other's rows.
 * When a relay crashes between publishing and marking, its claim expires and the events are published twice; consumers
 * ignore duplicates (inbox.ts). Order is not guaranteed: consumers compare revisions.
 */
const claim = `
  UPDATE outbox SET claimed_until = now() + interval '30 seconds'
  WHERE ${withoutFlush} AND position IN (
    SELECT position FROM outbox
    WHERE sent_at IS NULL AND (claimed_until IS NULL OR claimed_until < now())
    ORDER BY position LIMIT $1
    FOR UPDATE SKIP LOCKED)
  RETURNING position, body, traceparent`;

const markSent = `
  UPDATE outbox SET sent_at = now(), claimed_until = NULL WHERE ${withoutFlush} AND position = ANY($1)`;
const release = 'UPDATE outbox SET claimed_until = NULL WHERE position = ANY($1) AND sent_at IS NULL';
// Sent rows stay for seven days, for the investigation of incidents.
const purgeSent = `
  DELETE FROM outbox WHERE position IN (
    SELECT position FROM outbox WHERE sent_at < now() - interval '7 days' LIMIT ${deleteBatchSize})
  RETURNING position`;

const batchSize = 100;
const purgeEveryMs = 600_000;
// A commit wakes the relay. Only the rows of a process that died right after its commit wait so long.
const intervalMs = 5_000;

/** Publishes the events of the outbox. `stop` finishes the current batch; the rest stays in the table. */
export function startOutboxRelay(sequelize: Sequelize, publisher: EventPublisher, log: Logger): Polling {
  let purgedAt = 0;

  async function publishBatch(): Promise<number> {
    const rows = await selectRows<Row>(sequelize, claim, [batchSize]);
    if (rows.length === 0) return 0;
    const results = await Promise.allSettled(
      rows.map(({ body, traceparent }) => publisher.publish({ event: body, traceparent })),
    );
    const positions = (outcome: string) =>
      rows.filter((_, index) => results[index]?.status === outcome).map(({ position }) => position);
    rows.forEach(({ body }, index) => {
      if (results[index]?.status === 'fulfilled') countPublished(body.type);
      else countPublishFailure();
    });
    await sequelize.query(markSent, { bind: [positions('fulfilled')] });

    const failed = results.find((result) => result.status === 'rejected');
    if (failed) {
      await sequelize.query(release, { bind: [positions('rejected')] });
      throw failed.reason;
    }
    return rows.length;
  }

  /** Deletes one batch, so that publishing never waits for more. Returns whether there may be another. */
  async function purge(): Promise<boolean> {
    if (Date.now() - purgedAt < purgeEveryMs) return false;
    const { length } = await selectRows(sequelize, purgeSent);
    if (length === deleteBatchSize) return true;
    purgedAt = Date.now();
    return false;
  }

  return startPolling({
    async round() {
      const published = await publishBatch();
      return published === batchSize || purge();
    },
    onFailure: (error) => log.warn({ err: error }, 'could not publish events; retrying'),
    intervalMs,
  });
}
