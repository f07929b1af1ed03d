import type { Sequelize, Transaction } from 'sequelize';
import { selectPrepared } from '../database/preparedQuery.ts';
import { traceCreate } from '../tracing/messageSpans.ts';
import { traceparent } from '../tracing/span.ts';
import type { CloudEvent } from './cloudEvent.ts';

/** The bodies of events and their trace contexts, for the parameters of {@link insertEvents}. */
export type EventRows = [bodies: string[], traceparents: (string | null)[]];

/** Transactional outbox: an event is a row that is committed together with the change that it describes. */
export interface Outbox {
  /** Adds the events of one change in one statement. They keep their order. */
  add(events: CloudEvent | CloudEvent[], transaction: Transaction): Promise<void>;
  /** Adds up to a few thousand events in one statement, without a span for each. They keep their order. */
  addAll(events: CloudEvent[], transaction: Transaction): Promise<void>;
  /** Adds the events of a change by the statement that makes it, which is its own transaction: see {@link insertEvents}. */
  addBy<T>(events: CloudEvent[], change: (rows: EventRows) => Promise<T>): Promise<T>;
}

interface InsertEvents {
  /** The parameters with the values of {@link EventRows}. */
  parameters: [bodies: `$${number}`, traceparents: `$${number}`];
  /** A table of one row if the change has taken effect, and of none otherwise. */
  change: string;
}

/** SQL that inserts events in their order if a change has taken effect: a part of the `WITH` clause of that change. */
export const insertEvents = ({ parameters: [bodies, traceparents], change }: InsertEvents): string => `
  INSERT INTO outbox (event_id, type, body, traceparent)
  SELECT (event->>'id')::uuid, event->>'type', event, traceparent
  FROM ${change}, unnest(${bodies}::jsonb[], ${traceparents}::text[]) WITH ORDINALITY AS events (event, traceparent, place)
  ORDER BY place`;

const insert = insertEvents({ parameters: ['$1', '$2'], change: '(SELECT) AS committed' });

const insertAll = `
  INSERT INTO outbox (event_id, type, body, traceparent)
  SELECT (event->>'id')::uuid, event->>'type', event, $2
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS events (event, place) ORDER BY place`;

/**
 * @param wakeRelay called after each commit, so that the relay publishes without delay. The relay also polls, so events
 *   are published even when the process ends before this call.
 */
export function createOutbox(sequelize: Sequelize, wakeRelay: () => void): Outbox {
  return {
    async add(added, transaction) {
      const events = Array.isArray(added) ? added : [added];
      await traceCreate(events, (traceparents) =>
        selectPrepared(sequelize, 'events', insert, rowsOf(events, traceparents), transaction),
      );
      transaction.afterCommit(wakeRelay);
    },
    async addAll(events, transaction) {
      if (events.length === 0) return;
      await sequelize.query(insertAll, { bind: [JSON.stringify(events), traceparent()], transaction });
      transaction.afterCommit(wakeRelay);
    },
    async addBy(events, change) {
      const result = await traceCreate(events, (traceparents) => change(rowsOf(events, traceparents)));
      wakeRelay();
      return result;
    },
  };
}

const rowsOf = (events: CloudEvent[], traceparents: (string | null)[]): EventRows => [
  events.map((event) => JSON.stringify(event)),
  traceparents,
];
