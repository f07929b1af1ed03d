import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import { traceCreate } from '../tracing/messageSpans.ts';
import { traceparent } from '../tracing/span.ts';
import type { CloudEvent, Envelope } from './cloudEvent.ts';
import type { Claim, OutboxRelay } from './outboxRelay.ts';

/** Parameter values for {@link insertEvents}. */
export type EventRows = [bodies: string[], traceparents: (string | null)[], claimSeconds: number | null];

/** The parameter values for a change without events. */
export const noEvents: EventRows = [[], [], null];

/** Transactional outbox: an event is a row committed together with the change it describes. */
export interface Outbox {
  /** Adds the events of one change in one statement, preserving their order. */
  add(events: CloudEvent | CloudEvent[], transaction: Transaction): Promise<void>;
  /** Adds up to a few thousand events in one statement, preserving their order, without a span for each. */
  addAll(events: CloudEvent[], transaction: Transaction): Promise<void>;
  /**
   * Adds the events of a change in the statement that makes it, which is its own transaction: see {@link insertEvents}.
   * `change` resolves to whether it took effect; if not, it must not have inserted the events.
   */
  addBy(events: CloudEvent[], change: (rows: EventRows) => Promise<boolean>): Promise<boolean>;
}

export interface InsertEvents {
  /** Placeholders for the values of {@link EventRows}. */
  parameters: [bodies: `$${number}`, traceparents: `$${number}`, claimSeconds: `$${number}`];
  /** A table with one row if the change took effect, and no rows otherwise. */
  change: string;
}

/** SQL that inserts events in order if a change took effect. Goes into the `WITH` clause of that change. */
export const insertEvents = ({
  parameters: [bodies, traceparents, seconds],
  change,
}: InsertEvents): string => `
  INSERT INTO outbox (event_id, type, body, traceparent, claimed_until)
  SELECT (event->>'id')::uuid, event->>'type', event, traceparent, clock_timestamp() + ${seconds}::float8 * interval '1 second'
  FROM ${change}, unnest(${bodies}::jsonb[], ${traceparents}::text[]) WITH ORDINALITY AS events (event, traceparent, place)
  ORDER BY place`;

const insert = insertEvents({ parameters: ['$1', '$2', '$3'], change: '(SELECT) AS committed' });

const insertAll = `
  INSERT INTO outbox (event_id, type, body, traceparent)
  SELECT (event->>'id')::uuid, event->>'type', event, $2
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS events (event, place) ORDER BY place`;

/** Creates the outbox of a service. Without a relay, the relays of other processes publish its events. */
export function createOutbox(sequelize: Sequelize, relay?: OutboxRelay): Outbox {
  const wake = () => relay?.wake();
  return {
    async add(added, transaction) {
      const events = Array.isArray(added) ? added : [added];
      const claim = relay?.claim();
      await traceCreate(events, async (traceparents) => {
        const rows = rowsOf(events, traceparents, claim);
        await query(sequelize, { name: 'events', sql: insert, values: rows, transaction });
        transaction.afterCommit(claim ? () => claim.publish(envelopesOf(events, traceparents)) : wake);
      });
    },
    async addAll(events, transaction) {
      if (events.length === 0) return;
      await query(sequelize, {
        sql: insertAll,
        values: [JSON.stringify(events), traceparent()],
        transaction,
      });
      transaction.afterCommit(wake);
    },
    async addBy(events, change) {
      const claim = relay?.claim();
      return traceCreate(events, async (traceparents) => {
        const isDone = await change(rowsOf(events, traceparents, claim));
        if (!isDone) return false;
        if (claim) claim.publish(envelopesOf(events, traceparents));
        else wake();
        return true;
      });
    },
  };
}

const rowsOf = (
  events: CloudEvent[],
  traceparents: (string | null)[],
  claim: Claim | undefined,
): EventRows => [events.map((event) => JSON.stringify(event)), traceparents, claim?.seconds ?? null];

const envelopesOf = (events: CloudEvent[], traceparents: (string | null)[]): Envelope[] =>
  events.map((event, index) => ({ event, traceparent: traceparents[index] ?? null }));
