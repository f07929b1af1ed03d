import type { Sequelize, Transaction } from 'sequelize';
import { traceCreate } from '../tracing/messageSpans.ts';
import { traceparent } from '../tracing/span.ts';
import type { CloudEvent } from './cloudEvent.ts';

/** Transactional outbox: an event is a row that is committed together with the change that it describes. */
export interface Outbox {
  add(event: CloudEvent, transaction: Transaction): Promise<void>;
  /** Adds up to a few thousand events in one statement. They keep their order. */
  addAll(events: CloudEvent[], transaction: Transaction): Promise<void>;
}

const insert = `
  INSERT INTO outbox (event_id, type, body, traceparent)
  VALUES ($1, $2, $3, $4)`;

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
    async add(event, transaction) {
      await traceCreate(event, (traceparent) => {
        const bind = [event.id, event.type, JSON.stringify(event), traceparent];
        return sequelize.query(insert, { bind, transaction });
      });
      transaction.afterCommit(wakeRelay);
    },
    async addAll(events, transaction) {
      if (events.length === 0) return;
      await sequelize.query(insertAll, { bind: [JSON.stringify(events), traceparent()], transaction });
      transaction.afterCommit(wakeRelay);
    },
  };
}
