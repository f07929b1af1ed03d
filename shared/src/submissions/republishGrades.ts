import type { Sequelize } from 'sequelize';
import { keysetPages } from '../database/keysetPages.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import type { Outbox } from '../events/outbox.ts';

interface Dependencies<Submission> {
  sequelize: Sequelize;
  outbox: Outbox;
  /** Submissions with larger ids that are or were graded, in the order of their ids. */
  everGradedAfter(id: number, limit: number): Promise<Submission[]>;
  toEvent(submission: Submission): CloudEvent;
}

const batchSize = 500;

/** Adds the current grade of every submission to the outbox, or that its grading was undone. Returns how many there are. */
export async function republishGrades<Submission extends { id: number }>({
  sequelize,
  outbox,
  everGradedAfter,
  toEvent,
}: Dependencies<Submission>): Promise<number> {
  let published = 0;
  for await (const batch of keysetPages<Submission>((last) => everGradedAfter(last?.id ?? 0, batchSize))) {
    await sequelize.transaction((transaction) => outbox.addAll(batch.map(toEvent), transaction));
    published += batch.length;
  }
  return published;
}
