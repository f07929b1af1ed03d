import type { Sequelize, Transaction } from 'sequelize';
import { traceCreate } from '../tracing/messageSpans.ts';
import { traceparent } from '../tracing/span.ts';
import type { CloudEvent } from './cloudEvent.ts';

/** Where a service leaves its events, in the transaction of the change that they tell of. */
export interface Outbox {
  add(event: CloudEvent, transaction: Transaction): Promise<void>;
  /** The same for many at once, in their order; a few thousand at most. */
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
 * The transactional outbox: change and event are committed together or not at all. `wakeRelay` is called after
 * the commit, so that the event goes out at once; if that never happens, the relay's next round finds it.
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
