import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';
import type { Enrollment } from '../../domain/enrollment.ts';
import type { RosterRow } from '../roster/rosterRows.ts';

const enrollmentsOf = `
  SELECT course_id AS "courseId", user_id AS "userId", is_enrolled AS "isEnrolled", paid, revision
  FROM roster WHERE course_id = $1 AND user_id = ANY($2)`;
const insertRows = `
  INSERT INTO import_rows (import_id, position, file, line, sourced_id, is_deleted, wanted, action, course_id, user_id,
    revision, account)
  SELECT $1, position, file, line, "sourcedId", false, wanted, action, "courseId", "userId", revision,
    nullif(account, 'null'::jsonb)
  FROM jsonb_to_recordset($2::jsonb) AS rows (position int, file text, line int, "sourcedId" text, wanted jsonb,
    action text, "courseId" int, "userId" int, revision int, account jsonb)`;

/** Plans the enrollments of rosters. Writes only to `import_rows`. */
export class RosterRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns the enrollments of these people in a course, ended or not. */
  enrollmentsOf(courseId: number, userIds: number[]): Promise<Enrollment[]> {
    return query<Enrollment>(this.#db, { sql: enrollmentsOf, values: [courseId, userIds] });
  }

  async insertRows(importId: string, rows: RosterRow[]): Promise<void> {
    await query(this.#db, { sql: insertRows, values: [importId, JSON.stringify(rows)] });
  }
}
