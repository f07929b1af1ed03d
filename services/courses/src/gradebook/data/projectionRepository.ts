import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { GradebookAllowance, GradebookItem, GradebookSubmission } from '../domain/projections.ts';

/*
 * In all tables, an older revision never overwrites a newer one. An equal revision is applied again, to repair a
 * projection. The rows of a batch are written in the order of their keys, so that no two transactions deadlock.
 */

const saveItems = `
  INSERT INTO gradebook_items (kind, item_id, course_id, title, total_grade, created_at, published, opens_at, closes_at,
    late, released_at, anonymous, is_deleted, revision)
  SELECT DISTINCT ON (kind, "itemId") kind, "itemId", "courseId", title, "totalGrade", "createdAt", published, "opensAt",
    "closesAt", late, "releasedAt", anonymous, "isDeleted", revision
  FROM jsonb_to_recordset($1::jsonb) AS given (kind text, "itemId" integer, "courseId" integer, title text,
    "totalGrade" numeric, "createdAt" timestamptz, published boolean, "opensAt" timestamptz,
    "closesAt" timestamptz, late jsonb, "releasedAt" timestamptz, anonymous boolean, "isDeleted" boolean, revision integer)
  ORDER BY kind, "itemId", revision DESC
  ON CONFLICT (kind, item_id) DO UPDATE SET
    course_id = excluded.course_id, title = excluded.title, total_grade = excluded.total_grade,
    created_at = excluded.created_at, published = excluded.published, opens_at = excluded.opens_at, closes_at = excluded.closes_at,
    late = excluded.late, released_at = excluded.released_at, anonymous = excluded.anonymous,
    is_deleted = excluded.is_deleted, revision = excluded.revision
  WHERE gradebook_items.revision <= excluded.revision`;

// An event without a time is from an earlier version, which did not count revisions: it shows only that there is a
// submission.
const saveSubmissions = `
  INSERT INTO gradebook_submissions
    (kind, submission_id, course_id, student_id, item_id, submitted_at, late_waived, state_revision)
  SELECT DISTINCT ON (kind, "submissionId") kind, "submissionId", "courseId", "studentId", "itemId", "submittedAt",
    "isLateWaived", "stateRevision"
  FROM jsonb_to_recordset($1::jsonb) AS given (kind text, "submissionId" integer, "courseId" integer,
    "studentId" integer, "itemId" integer, "submittedAt" timestamptz, "isLateWaived" boolean, "stateRevision" integer)
  ORDER BY kind, "submissionId", "stateRevision" DESC, "submittedAt" DESC NULLS LAST
  ON CONFLICT (kind, submission_id) DO UPDATE SET
    course_id = excluded.course_id, student_id = excluded.student_id, item_id = excluded.item_id,
    submitted_at = excluded.submitted_at, late_waived = excluded.late_waived, state_revision = excluded.state_revision
  WHERE excluded.submitted_at IS NOT NULL AND gradebook_submissions.state_revision <= excluded.state_revision`;

const saveAllowances = `
  INSERT INTO gradebook_allowances (student_id, kind, item_id, closes_at, excused, revision)
  SELECT DISTINCT ON ("studentId", kind, "itemId") "studentId", kind, "itemId", "closesAt", excused, revision
  FROM jsonb_to_recordset($1::jsonb) AS given (kind text, "itemId" integer, "studentId" integer,
    "closesAt" timestamptz, excused boolean, revision integer)
  ORDER BY "studentId", kind, "itemId", revision DESC
  ON CONFLICT (student_id, kind, item_id) DO UPDATE SET
    closes_at = excluded.closes_at, excused = excluded.excused, revision = excluded.revision
  WHERE gradebook_allowances.revision <= excluded.revision`;

/** Stores the items, submissions and allowances that the gradebook shows. */
export class ProjectionRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  saveItems(items: GradebookItem[], transaction: Transaction): Promise<void> {
    return this.#save(saveItems, items, transaction);
  }

  saveSubmissions(submissions: GradebookSubmission[], transaction: Transaction): Promise<void> {
    return this.#save(saveSubmissions, submissions, transaction);
  }

  saveAllowances(allowances: GradebookAllowance[], transaction: Transaction): Promise<void> {
    return this.#save(saveAllowances, allowances, transaction);
  }

  async #save(sql: string, rows: object[], transaction: Transaction): Promise<void> {
    await query(this.#db, { sql, values: [JSON.stringify(rows)], transaction });
  }
}
