import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';
import { hasAppeared, itemsWithTitles, itemTitle } from '../../gradebook/data/itemState.ts';
import type { CalendarItem } from '../domain/calendarEvents.ts';

// Beyond this number, the closing times furthest from now are omitted. No student has that many items, but
// administrators see all courses.
const limit = 1_000;

const columns = (allowedUntil: string) => `
  SELECT i.kind, i.item_id AS "itemId", ${itemTitle} AS title, c.title AS "courseTitle", i.closes_at AS "closesAt",
    ${allowedUntil} AS "allowedUntil"
  FROM ${itemsWithTitles} JOIN courses c ON c.id = i.course_id AND c.deleted_at IS NULL`;
const isShown = 'i.published AND NOT i.is_deleted AND k.deleted_at IS NULL';
// Greatest ignores null. An item without a closing time never closes, regardless of any allowance.
const inWindow = (closesAt: string) => `
  i.closes_at IS NOT NULL AND ${closesAt} > now() - interval '30 days'
  ORDER BY ${closesAt} < now(), abs(extract(epoch FROM ${closesAt} - now())) LIMIT ${limit}`;

const ownClosesAt = 'greatest(i.closes_at, a.closes_at)';
// The grade also shows that work was handed in, because earlier versions published nothing else about it.
const ofStudent = `
  ${columns('a.closes_at')}
    JOIN roster r ON r.course_id = i.course_id AND r.user_id = $1 AND r.is_enrolled AND r.paid
    LEFT JOIN gradebook_allowances a ON a.student_id = $1 AND a.kind = i.kind AND a.item_id = i.item_id
  WHERE ${isShown} AND ${hasAppeared}
    AND NOT coalesce(a.excused, false)
    AND NOT EXISTS (
      SELECT FROM gradebook_submissions s
      WHERE s.student_id = $1 AND s.course_id = i.course_id AND s.kind = i.kind AND s.item_id = i.item_id)
    AND NOT EXISTS (
      SELECT FROM grades g
      WHERE g.student_id = $1 AND g.course_id = i.course_id AND g.kind = i.kind AND g.item_id = i.item_id)
    AND ${inWindow(ownClosesAt)}`;
const ofInstructor = `
  ${columns('NULL::timestamptz')}
    JOIN instructors t ON t.course_id = i.course_id AND t.user_id = $1 AND t.is_assigned
  WHERE ${isShown} AND ${inWindow('i.closes_at')}`;
const ofSchool = `${columns('NULL::timestamptz')} WHERE ${isShown} AND ${inWindow('i.closes_at')}`;

/** Reads the items whose closing times a calendar shows, starting 30 days ago. */
export class CalendarItemRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns the items that a student can still hand in or has missed, in courses that are paid for. */
  ofStudent(studentId: number): Promise<CalendarItem[]> {
    return query(this.#db, { sql: ofStudent, values: [studentId] });
  }

  /** Returns the published items of the courses that an instructor is assigned to. */
  ofInstructor(instructorId: number): Promise<CalendarItem[]> {
    return query(this.#db, { sql: ofInstructor, values: [instructorId] });
  }

  /** Returns the published items of every course. */
  ofSchool(): Promise<CalendarItem[]> {
    return query(this.#db, { sql: ofSchool });
  }
}
