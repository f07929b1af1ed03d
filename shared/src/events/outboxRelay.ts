import type { Sequelize } from 'sequelize';
import { selectRows } from '../database/connection.ts';
import { countPublished, countPublishFailure } from '../metrics/outbox.ts';
import type { Logger } from '../process/logger.ts';
import { type Polling, startPolling } from '../process/polling.ts';
import type { EventPublisher } from './broker.ts';
import type { CloudEvent } from './cloudEvent.ts';

/** Stopping it publishes what is being published; what is left waits in the table. */
export type OutboxRelay = Polling;

interface Row {
  position: string;
  body: CloudEvent;
  traceparent: string | null;
}

/*
 * A row of the outbox is waiting (sent_at null), claimed (claimed_until in the future) or sent.
 *
 * A relay claims a batch for half a minute, publishes it outside any transaction (a slow broker holds no lock
 * and no connection) and marks what the broker has confirmed. Relays of several replicas skip each other's rows.
 * One that dies between publishing and marking leaves its claim to run out, and the events go out twice:
 * consumers drop what they know (inbox.ts). Order is not kept; consumers go by the revision.
 */
const claim = `
  UPDATE outbox SET claimed_until = now() + interval '30 seconds'
  WHERE position IN (
    SELECT position FROM outbox
    WHERE sent_at IS NULL AND (claimed_until IS NULL OR claimed_until < now())
    ORDER BY position LIMIT $1
    FOR UPDATE SKIP LOCKED)
  RETURNING position, body, traceparent`;

const markSent = 'UPDATE outbox SET sent_at = now(), claimed_until = NULL WHERE position = ANY($1)';
const release = 'UPDATE outbox SET claimed_until = NULL WHERE position = ANY($1) AND sent_at IS NULL';
// Sent rows are kept for a while, to answer what was published and when.
const forget = `
  DELETE FROM outbox WHERE position IN (
    SELECT position FROM outbox WHERE sent_at < now() - interval '7 days' LIMIT 1000)`;

const batchSize = 100;
const forgetEveryMs = 600_000;

/** Publishes what the outbox holds: when woken, and every second in any case; slower while the broker is away. */
export function startOutboxRelay(sequelize: Sequelize, publisher: EventPublisher, log: Logger): OutboxRelay {
  let forgotAt = 0;

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

  async function forgetOld(): Promise<void> {
    if (Date.now() - forgotAt < forgetEveryMs) return;
    forgotAt = Date.now();
    await sequelize.query(forget);
  }

  return startPolling({
    async round() {
      const published = await publishBatch();
      if (published === batchSize) return true;
      await forgetOld();
      return false;
    },
    onFailure: (error) => log.warn({ err: error }, 'events wait in the outbox'),
  });
}
