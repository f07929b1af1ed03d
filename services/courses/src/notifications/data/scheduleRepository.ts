import { inTransaction } from '@gradeway/shared/database/connection';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';
import { hasAppeared, isHidden } from '../../gradebook/data/itemState.ts';
import type { ItemKey, TriggerKind } from '../domain/effects.ts';
import { insertMessages } from './insertMessages.ts';

const triggersPerRound = 10;
const remindersPerStatement = 1_000;

const takeTriggers = `
  DELETE FROM mail_triggers WHERE (kind, item_kind, item_id) IN (
    SELECT kind, item_kind, item_id FROM mail_triggers WHERE due_at <= now()
    ORDER BY due_at LIMIT ${triggersPerRound} FOR UPDATE SKIP LOCKED)
  RETURNING kind, item_kind AS "itemKind", item_id AS "itemId", due_at AS "dueAt"`;

const ofTrigger = 'i.kind = $1 AND i.item_id = $2 AND NOT i.is_deleted';

const released = insertMessages(`
  SELECT g.student_id AS user_id, 'released:' || i.kind || ':' || i.item_id || ':' || $3::text AS key, 'grades.released' AS kind,
    i.kind AS item_kind, i.item_id, g.submission_id, now() AS due, NULL::timestamptz AS useless_at
  FROM gradebook_items i JOIN grades g ON g.kind = i.kind AND g.item_id = i.item_id
  WHERE ${ofTrigger} AND g.grade IS NOT NULL AND NOT ${isHidden}`);

/** SQL for whether an item `i` has a submission without a grade. */
export const hasUngraded = `EXISTS (
  SELECT FROM gradebook_submissions s LEFT JOIN grades g ON g.kind = s.kind AND g.submission_id = s.submission_id
  WHERE s.kind = i.kind AND s.item_id = i.item_id AND g.grade IS NULL)`;

// The key identifies the state, so grading the same submissions again does not create a second message.
const finished = insertMessages(`
  SELECT t.user_id, concat_ws(':', 'finished', i.kind, i.item_id, work.total, extract(epoch FROM work.latest)) AS key,
    'grading.finished' AS kind, i.kind AS item_kind, i.item_id, NULL::integer AS submission_id, now() AS due,
    NULL::timestamptz AS useless_at
  FROM gradebook_items i JOIN instructors t ON t.course_id = i.course_id AND t.is_assigned AND t.role = 'teacher'
    CROSS JOIN LATERAL (
      SELECT count(*) AS total, max(s.submitted_at) AS latest FROM gradebook_submissions s
      WHERE s.kind = i.kind AND s.item_id = i.item_id) AS work
  WHERE ${ofTrigger} AND i.published AND work.total > 0 AND NOT ${hasUngraded}`);

/** SQL for whether the person `person` has handed in nothing for an item `i`. */
export const isMissing = (person: string): string => `(
  NOT EXISTS (SELECT FROM gradebook_submissions s
    WHERE s.student_id = ${person} AND s.course_id = i.course_id AND s.kind = i.kind AND s.item_id = i.item_id)
  AND NOT EXISTS (SELECT FROM grades g
    WHERE g.student_id = ${person} AND g.kind = i.kind AND g.item_id = i.item_id AND g.grade IS NOT NULL))`;

// An item closes at the later of its own time and the student's (shared/src/items/personalTimes.ts). A small change of
// the closing time does not cause another reminder within half a day.
const soon = "BETWEEN now() AND now() + interval '24 hours'";
const isShown = `i.published AND NOT i.is_deleted AND ${hasAppeared}`;
const reminders = insertMessages(`
  SELECT r.user_id, concat_ws(':', 'due', i.kind, i.item_id, extract(epoch FROM i.own_closes_at)) AS key, 'work.due' AS kind,
    i.kind AS item_kind, i.item_id, NULL::integer AS submission_id, now() AS due, i.own_closes_at AS useless_at
  FROM (
    SELECT i.kind, i.item_id, i.course_id, r.user_id, greatest(i.closes_at, a.closes_at) AS own_closes_at
    FROM gradebook_items i JOIN roster r ON r.course_id = i.course_id
      LEFT JOIN gradebook_allowances a ON a.student_id = r.user_id AND a.kind = i.kind AND a.item_id = i.item_id
    WHERE i.closes_at ${soon} AND ${isShown} AND a.excused IS NOT TRUE
    UNION
    SELECT i.kind, i.item_id, i.course_id, a.student_id, a.closes_at
    FROM gradebook_allowances a JOIN gradebook_items i ON i.kind = a.kind AND i.item_id = a.item_id
    WHERE a.closes_at ${soon} AND a.closes_at > i.closes_at AND NOT a.excused AND ${isShown}) AS i
    JOIN roster r ON r.course_id = i.course_id AND r.user_id = i.user_id AND r.is_enrolled AND r.paid
    JOIN courses c ON c.id = i.course_id AND c.deleted_at IS NULL
    LEFT JOIN classes k ON i.kind = 'homework' AND k.id = i.item_id
  WHERE own_closes_at ${soon} AND k.deleted_at IS NULL AND ${isMissing('r.user_id')}
    AND NOT EXISTS (SELECT FROM mail_messages m
      WHERE m.user_id = r.user_id AND m.kind = 'work.due' AND m.item_kind = i.kind AND m.item_id = i.item_id
        AND (m.useless_at = i.own_closes_at
          OR m.status <> 'dropped' AND m.created_at > now() - interval '12 hours'))
    AND r.user_id NOT IN (SELECT user_id FROM erased_people)
  LIMIT ${remindersPerStatement}`);

// One replica at a time.
const lockReminders = "SELECT pg_try_advisory_xact_lock(hashtext('mail reminders')) AS locked";

type Trigger = ItemKey & { kind: TriggerKind; dueAt: Date };

/** Creates messages that follow from the state of items rather than from a single event. */
export class ScheduleRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Examines items that are due. Returns whether more may be. */
  examineDue(): Promise<boolean> {
    return inTransaction(this.#db, async (transaction) => {
      const triggers = await query<Trigger>(this.#db, { sql: takeTriggers, transaction });
      for (const { kind, itemKind, itemId, dueAt } of triggers) {
        const values = [itemKind, itemId];
        await query(
          this.#db,
          kind === 'grades.released'
            ? { sql: released, values: [...values, String(dueAt.getTime())], transaction }
            : { sql: finished, values, transaction },
        );
      }
      return triggers.length === triggersPerRound;
    });
  }

  /** Adds reminders for items that close within a day. Returns whether more may be needed. */
  addReminders(): Promise<boolean> {
    return inTransaction(this.#db, async (transaction) => {
      const [row] = await query<{ locked: boolean }>(this.#db, { sql: lockReminders, transaction });
      if (!row?.locked) return false;
      const added = await query(this.#db, { sql: reminders, transaction });
      return added.length === remindersPerStatement;
    });
  }
}
