import type { Sequelize } from 'sequelize';
import { keysetPages } from '../database/keysetPages.ts';
import { query } from '../database/query.ts';
import type { Outbox } from '../events/outbox.ts';
import type { GradedKind, TimedSubmission } from '../grading/gradedKind.ts';
import { allowanceChanged, type ItemService } from '../items/itemEvents.ts';
import { timedSubmissionColumns } from '../items/timedSubmission.ts';
import { republish } from './republish.ts';

const batchSize = 500;

const items: Record<ItemService, string> = {
  quiz: 'quizzes i ON i.id = a.item_id',
  homework: 'classes i ON i.class_id = a.item_id',
};
const allowancesOf = (service: ItemService): string => `
  SELECT a.item_id AS "itemId", i.course_id AS "courseId", a.student_id AS "studentId", a.closes_at AS "closesAt",
    a.extra_minutes AS "extraMinutes", a.excused, a.is_removed AS "isRemoved", a.revision
  FROM allowances a JOIN ${items[service]}
  WHERE (a.item_id, a.student_id) > ($1, $2) ORDER BY a.item_id, a.student_id LIMIT $3`;

interface Dependencies {
  sequelize: Sequelize;
  outbox: Outbox;
  kind: Pick<GradedKind, 'service' | 'tables' | 'latenessEvent'>;
}

type Allowance = Parameters<typeof allowanceChanged>[1];

/**
 * Publishes the receipt time of every submission, and every allowance, for the gradebook in courses. The events are
 * internal, so that no webhook announces a submission again. Returns the number of submissions and of allowances.
 */
export async function republishWork({
  sequelize,
  outbox,
  kind: { service, tables, latenessEvent },
}: Dependencies): Promise<{ submissions: number; allowances: number }> {
  const nextSubmissions = `
    SELECT ${timedSubmissionColumns(tables)} FROM submissions s WHERE s.id > $1 ORDER BY s.id LIMIT $2`;
  const submissions = await republish<TimedSubmission>({
    sequelize,
    outbox,
    recordsAfter: (id, limit) => query(sequelize, { sql: nextSubmissions, values: [id, limit] }),
    toEvent: latenessEvent,
  });
  const allowancesAfter = (last: Allowance | undefined) => {
    const values = [last?.itemId ?? 0, last?.studentId ?? 0, batchSize];
    return query<Allowance>(sequelize, { sql: allowancesOf(service), values });
  };
  let allowances = 0;
  for await (const batch of keysetPages<Allowance>(allowancesAfter)) {
    const events = batch.map((allowance) => allowanceChanged(service, allowance));
    await sequelize.transaction((transaction) => outbox.addAll(events, transaction));
    allowances += batch.length;
  }
  return { submissions, allowances };
}
