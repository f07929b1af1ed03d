import type { Sequelize } from 'sequelize';
import { keysetPages } from '../database/keysetPages.ts';
import { query } from '../database/query.ts';
import type { EventData } from '../events/catalog.ts';
import { type CloudEvent, createEvent } from '../events/cloudEvent.ts';
import type { Outbox } from '../events/outbox.ts';
import { allowanceChanged, type ItemService } from './itemEvents.ts';

const batchSize = 500;

// The columns are the properties of the event. Work that staff handed in is never late.
const times = `
  s.student_id, to_char(s.submitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS submitted_at,
  s.late_waived OR s.submitted_by IS NOT NULL AS late_waived, s.state_revision`;
const next = 'WHERE s.id > $1 ORDER BY s.id LIMIT $2';
const submissions: Record<ItemService, string> = {
  quiz: `SELECT s.id AS submission_id, s.quiz_id, s.course_id, ${times} FROM submissions s ${next}`,
  homework: `
    SELECT s.id AS submission_id, s.class_id, c.course_id, ${times}
    FROM submissions s JOIN classes c USING (class_id) ${next}`,
};

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
}

type Work = EventData[`${ItemService}.submission.lateness.changed.v1`];
type Allowance = Parameters<typeof allowanceChanged>[1];

/**
 * Publishes when every submission was received, and every allowance, for the gradebook of courses. The events are internal, so
 * that no webhook announces a submission again. Returns the numbers of submissions and allowances.
 */
export async function republishWork(
  service: ItemService,
  { sequelize, outbox }: Dependencies,
): Promise<{ submissions: number; allowances: number }> {
  const publish = (events: CloudEvent[]) =>
    sequelize.transaction((transaction) => outbox.addAll(events, transaction));
  const published = { submissions: 0, allowances: 0 };
  const worksAfter = (last: Work | undefined) =>
    query<Work>(sequelize, { sql: submissions[service], values: [last?.submission_id ?? 0, batchSize] });
  for await (const works of keysetPages<Work>(worksAfter)) {
    await publish(works.map((work) => workChanged(service, work)));
    published.submissions += works.length;
  }
  const allowancesAfter = (last: Allowance | undefined) => {
    const values = [last?.itemId ?? 0, last?.studentId ?? 0, batchSize];
    return query<Allowance>(sequelize, { sql: allowancesOf(service), values });
  };
  for await (const allowances of keysetPages<Allowance>(allowancesAfter)) {
    await publish(allowances.map((allowance) => allowanceChanged(service, allowance)));
    published.allowances += allowances.length;
  }
  return published;
}

const workChanged = (service: ItemService, work: Work): CloudEvent =>
  createEvent(
    service,
    `${service}.submission.lateness.changed.v1`,
    `submissions/${work.submission_id}`,
    work,
  );
