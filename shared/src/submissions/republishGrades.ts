import type { Sequelize } from 'sequelize';
import { keysetPages } from '../database/keysetPages.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import type { Outbox } from '../events/outbox.ts';

interface Dependencies<Graded> {
  sequelize: Sequelize;
  outbox: Outbox;
  /** Graded submissions with larger ids, in the order of their ids. */
  gradedAfter(id: number, limit: number): Promise<Graded[]>;
  toEvent(graded: Graded): CloudEvent;
}

const batchSize = 500;

/** Adds the current grade of every graded submission to the outbox. Returns how many there are. */
export async function republishGrades<Graded extends { id: number }>({
  sequelize,
  outbox,
  gradedAfter,
  toEvent,
}: Dependencies<Graded>): Promise<number> {
  let published = 0;
  for await (const batch of keysetPages<Graded>((last) => gradedAfter(last?.id ?? 0, batchSize))) {
    await sequelize.transaction((transaction) => outbox.addAll(batch.map(toEvent), transaction));
    published += batch.length;
  }
  return published;
}
