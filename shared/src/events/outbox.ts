import type { Sequelize, Transaction } from 'sequelize';
import { traceCreate } from '../tracing/messageSpans.ts';
import type { CloudEvent } from './cloudEvent.ts';

/** Where a service leaves its events, in the transaction of the change that they tell of. */
export interface Outbox {
  add(event: CloudEvent, transaction: Transaction): Promise<void>;
}

const insert = `
  INSERT INTO outbox (event_id, type, body, traceparent)
  VALUES ($1, $2, $3, $4)`;

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
  };
}
