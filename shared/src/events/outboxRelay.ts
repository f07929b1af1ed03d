import type { Sequelize } from 'sequelize';
import { selectRows } from '../database.ts';
import type { Logger } from '../logger.ts';
import { countPublished, countPublishFailure } from '../metrics/outbox.ts';
import type { EventPublisher } from './broker.ts';
import type { CloudEvent } from './cloudEvent.ts';

export interface OutboxRelay {
  /** There is something to publish: look now. */
  wake(): void;
  /** Publishes what is being published, then stops. What is left waits in the table. */
  stop(): Promise<void>;
}

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
const pollMs = 1_000;
const longestPauseMs = 5_000;
const forgetEveryMs = 600_000;

/** Publishes what the outbox holds: when woken, and every second in any case; slower while the broker is away. */
export function startOutboxRelay(sequelize: Sequelize, publisher: EventPublisher, log: Logger): OutboxRelay {
  let stopped = false;
  let woken = false;
  let failures = 0;
  let forgotAt = 0;
  let endPause: () => void = () => {};

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

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      try {
        const published = await publishBatch();
        failures = 0;
        if (published === batchSize) continue;
        await forgetOld();
      } catch (error) {
        failures += 1;
        if (failures === 1) log.warn({ err: error }, 'events wait in the outbox');
      }
      // A wake-up does not shorten the pause after a failure: the broker is not back because somebody wrote.
      if (failures > 0) await pause(Math.min(pollMs * failures, longestPauseMs));
      else if (!woken && !stopped) await pause(pollMs);
    }
  }

  const running = run();
  return {
    wake() {
      woken = true;
      if (failures === 0) endPause();
    },
    async stop() {
      stopped = true;
      endPause();
      await running;
    },
  };
}
