import type { Sequelize } from 'sequelize';
import { keysetPages } from '../database/keysetPages.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import type { Outbox } from '../events/outbox.ts';

interface Dependencies<Row> {
  sequelize: Sequelize;
  outbox: Outbox;
  /** Returns the next records to publish, in the order of their ids. */
  recordsAfter(id: number, limit: number): Promise<Row[]>;
  toEvent(record: Row): CloudEvent;
}

const batchSize = 500;

/** Adds the current state of every record to the outbox. Returns the number of records. */
export async function republish<Row extends { id: number }>({
  sequelize,
  outbox,
  recordsAfter,
  toEvent,
}: Dependencies<Row>): Promise<number> {
  let published = 0;
  for await (const batch of keysetPages<Row>((last) => recordsAfter(last?.id ?? 0, batchSize))) {
    await sequelize.transaction((transaction) => outbox.addAll(batch.map(toEvent), transaction));
    published += batch.length;
  }
  return published;
}
