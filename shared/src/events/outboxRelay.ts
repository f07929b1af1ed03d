import type { Sequelize } from 'sequelize';
import type { Logger } from '../process/logger.ts';
import { startPolling } from '../process/polling.ts';
import type { EventPublisher, PublishOptions } from './broker.ts';
import type { Envelope } from './cloudEvent.ts';
import { countPublished, countPublishFailure } from './outboxMetrics.ts';
import { OutboxRows } from './outboxRows.ts';

export interface OutboxRelay {
  /**
   * Returns a claim on the events of a change, to be used when inserting them. Undefined if they are to be published
   * from the table: while the broker is unreachable, while many events are waiting, and once `stop` has been called.
   */
  claim(): Claim | undefined;
  /** Publishes pending rows without a claim at once. Call it after adding some. */
  wake(): void;
  /** Finishes the current batch. The remaining events stay in the table. */
  stop(): Promise<void>;
}

export interface Claim {
  /** How long the rows are claimed, counted from their insertion. */
  seconds: number;
  /** Publishes the events. Call it after the commit. Otherwise the claim expires and the rows remain in the table. */
  publish(envelopes: Envelope[]): void;
}

const batchSize = 100;
const purgeEveryMs = 600_000;
// How long rows can go unnoticed after their claim expires, if their process died right after its commit.
const readTableEveryMs = 5_000;
const claimSeconds = 10;
// After this time, the claim could expire before the events are published and marked: they are left to the table.
const publishWithinMs = 4_000;
const maxCommitted = 1_000;
// One statement marks the events of many batches. After a crash before it, they are published twice.
const markEveryMs = 200;
const maxUnmarked = 1_000;

/**
 * Publishes the events of the outbox.
 *
 * A process claims the events of its own changes by inserting them, and publishes them from memory after the commit.
 * Claiming and reading them afterwards would cost another write per row (decision 57). All other events are claimed in
 * the table: those left by processes that ended too early, by a broker outage, or by an import. Events are published
 * outside any transaction (a slow broker must not hold a lock or a connection), and marked once the broker has
 * confirmed them. If a process crashes between publishing and marking, its claim expires and the events are published
 * twice; consumers ignore duplicates (inbox.ts). Order is not guaranteed: consumers compare revisions.
 */
export function startOutboxRelay(sequelize: Sequelize, publisher: EventPublisher, log: Logger): OutboxRelay {
  const rows = new OutboxRows(sequelize);
  /** Committed events of this process that are waiting to be published. */
  const committed: { envelope: Envelope; until: number }[] = [];
  /** Ids of events that the broker has confirmed. */
  let unmarked: string[] = [];
  let isFailing = false;
  let isStopped = false;
  // Times of performance.now().
  let [readTableAt, markAt, purgeAt] = [0, Number.POSITIVE_INFINITY, 0];

  async function publish(envelopes: Envelope[], options?: PublishOptions): Promise<void> {
    const sent = envelopes.map((envelope) => publisher.publish(envelope, options));
    const results = await Promise.allSettled(sent);
    const failed: string[] = [];
    envelopes.forEach(({ event }, index) => {
      const isConfirmed = results[index]?.status === 'fulfilled';
      (isConfirmed ? unmarked : failed).push(event.id);
      if (isConfirmed) countPublished(event.type);
      else countPublishFailure();
    });
    if (unmarked.length > 0) markAt = Math.min(markAt, performance.now() + markEveryMs);
    await rows.release(failed);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async function publishCommitted(): Promise<void> {
    const now = performance.now();
    const batch = committed.splice(0, batchSize);
    const late = batch.filter(({ until }) => until <= now);
    if (late.length > 0) {
      readTableAt = 0;
      await rows.release(late.map(({ envelope }) => envelope.event.id));
    }
    await publish(batch.filter(({ until }) => now < until).map(({ envelope }) => envelope));
  }

  /** Publishes a batch from the table. Returns whether there may be another. */
  async function publishWaiting(): Promise<boolean> {
    const envelopes = await rows.claim(batchSize);
    // A new grade must not wait behind the thousands of events of a rubric change.
    await publish(envelopes, { isBacklog: true });
    return envelopes.length === batchSize;
  }

  async function mark(): Promise<void> {
    const ids = unmarked;
    [unmarked, markAt] = [[], Number.POSITIVE_INFINITY];
    await rows.markSent(ids);
  }

  /** Deletes one batch, so that publishing never waits longer. Returns whether there may be another. */
  async function purge(): Promise<boolean> {
    if (await rows.purge()) return true;
    purgeAt = performance.now() + purgeEveryMs;
    return false;
  }

  async function round(): Promise<boolean> {
    const now = performance.now();
    let isMore = false;
    if (now >= readTableAt) {
      // A wake-up during the round resets it.
      readTableAt = now + readTableEveryMs;
      isMore = await publishWaiting();
      if (isMore) readTableAt = 0;
      else if (now >= purgeAt) isMore = await purge();
    }
    if (committed.length > 0) await publishCommitted();
    if (unmarked.length >= maxUnmarked || performance.now() >= markAt) await mark();
    isFailing = false;
    return isMore || committed.length > 0;
  }

  /** Marks confirmed events, and releases those still in memory to all relays. */
  async function leaveToTable(): Promise<void> {
    const ids = committed.splice(0).map(({ envelope }) => envelope.event.id);
    try {
      await mark();
      await rows.release(ids);
    } catch {
      // Without the database, the claims simply expire.
    }
  }

  const polling = startPolling({
    async round() {
      try {
        return await round();
      } catch (error) {
        isFailing = true;
        readTableAt = 0;
        await leaveToTable();
        throw error;
      }
    },
    onFailure: (error) => log.warn({ err: error }, 'could not publish events; retrying'),
    intervalMs: () => Math.max(0, Math.min(readTableAt, markAt) - performance.now()),
  });

  return {
    claim() {
      if (isFailing || isStopped || committed.length >= maxCommitted) return undefined;
      const until = performance.now() + publishWithinMs;
      return {
        seconds: claimSeconds,
        publish(envelopes) {
          for (const envelope of envelopes) committed.push({ envelope, until });
          polling.wake();
        },
      };
    },
    wake() {
      readTableAt = 0;
      polling.wake();
    },
    async stop() {
      isStopped = true;
      await polling.stop();
      await leaveToTable();
    },
  };
}
