import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { Announcement, ItemKey, NewMessage, TriggerKind } from '../domain/effects.ts';
import { insertMessages } from './insertMessages.ts';

const due = "now() + $2::float8 * interval '1 millisecond' AS due";

const given = insertMessages(`
  SELECT "userId" AS user_id, key, kind, "itemKind" AS item_kind, "itemId" AS item_id, "submissionId" AS submission_id,
    CASE kind WHEN 'grades.released' THEN now() + $2::float8 * interval '1 millisecond' ELSE now() END AS due,
    NULL::timestamptz AS useless_at
  FROM jsonb_to_recordset($1::jsonb) AS given (
    "userId" integer, key text, kind text, "itemKind" text, "itemId" integer, "submissionId" integer)`);

// A message that is already being sent is no longer waiting, so the insertion creates another one.
const postponeGrades = `
  UPDATE mail_messages m SET due_at = due, waiting_since = due
  FROM (SELECT DISTINCT "userId", "itemKind", "itemId", ${due} FROM jsonb_to_recordset($1::jsonb) AS given (
    "userId" integer, kind text, "itemKind" text, "itemId" integer) WHERE kind = 'grades.released') AS given
  WHERE m.user_id = "userId" AND m.item_kind = "itemKind" AND m.item_id = "itemId" AND m.kind = 'grades.released'
    AND m.status = 'waiting' AND m.digest_id IS NULL AND m.claims = 0`;

const announced = (kind: string, people: string) =>
  insertMessages(`
    SELECT user_id, $1 AS key, '${kind}' AS kind, $2 AS item_kind, $3::integer AS item_id, NULL::integer AS submission_id,
      greatest(now(), $5::timestamptz) AS due, NULL::timestamptz AS useless_at
    FROM ${people}`);
const announcedToStudents = announced(
  'work.published',
  'roster WHERE course_id = $4 AND is_enrolled AND paid',
);
const announcedToStaff = announced('review.opened', 'instructors WHERE course_id = $4 AND is_assigned');

const examine = `
  INSERT INTO mail_triggers AS t (kind, item_kind, item_id, due_at)
  SELECT DISTINCT kind, "itemKind", "itemId", ${due}
  FROM jsonb_to_recordset($1::jsonb) AS given (kind text, "itemKind" text, "itemId" integer)
  ORDER BY 1, 2, 3
  ON CONFLICT (kind, item_kind, item_id) DO UPDATE SET due_at = greatest(t.due_at, excluded.due_at)`;

const withholdTrigger = `
  DELETE FROM mail_triggers WHERE kind = 'grades.released' AND item_kind = $1 AND item_id = $2`;
const withholdMessages = `
  UPDATE mail_messages SET status = 'dropped'
  WHERE item_kind = $1 AND item_id = $2 AND kind = 'grades.released' AND status = 'waiting'`;

/** Adds messages, and triggers for later messages, in the transaction that records the events in the inbox. */
export class MessageRepository {
  readonly #db: Sequelize;
  readonly #gradesDelayMs: number;

  /** @param gradesDelayMs how long a message about grades waits for further ones */
  constructor(sequelize: Sequelize, gradesDelayMs: number) {
    this.#db = sequelize;
    this.#gradesDelayMs = gradesDelayMs;
  }

  async add(messages: NewMessage[], transaction: Transaction): Promise<void> {
    const values = [JSON.stringify(messages), this.#gradesDelayMs];
    await query(this.#db, { sql: postponeGrades, values, transaction });
    await query(this.#db, { sql: given, values, transaction });
  }

  /** Adds a message about published work for each student who can hand it in. */
  async announceToStudents(announcement: Announcement, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: announcedToStudents, values: valuesOf(announcement), transaction });
  }

  /** Adds a message about an opened review for each teacher and grader of the course. */
  async announceToStaff(announcement: Announcement, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: announcedToStaff, values: valuesOf(announcement), transaction });
  }

  /** Examines the items once they have had no events for the duration of the delay. */
  async examineLater(triggers: (ItemKey & { kind: TriggerKind })[], transaction: Transaction): Promise<void> {
    const values = [JSON.stringify(triggers), this.#gradesDelayMs];
    await query(this.#db, { sql: examine, values, transaction });
  }

  /** Drops waiting messages about the grades of an item. */
  async withhold({ itemKind, itemId }: ItemKey, transaction: Transaction): Promise<void> {
    const values = [itemKind, itemId];
    await query(this.#db, { sql: withholdTrigger, values, transaction });
    await query(this.#db, { sql: withholdMessages, values, transaction });
  }
}

const valuesOf = ({ key, itemKind, itemId, courseId, notBefore }: Announcement) => [
  ...[key, itemKind, itemId, courseId],
  notBefore ?? null,
];
