import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';
import type { GridAllowance, GridItem, GridWork } from '../domain/grid.ts';
import { isHidden, itemsWithTitles, itemTitle } from './itemState.ts';

// The assignment of a deleted class is not shown. The few grades of excused students are subtracted from the
// statistics.
const items = `
  SELECT i.kind, i.item_id AS "itemId", ${itemTitle} AS title, i.total_grade::float8 AS "totalGrade",
    i.closes_at AS "closesAt", i.late, i.released_at AS "releasedAt",
    i.anonymous AND i.released_at IS NULL AS "isAnonymous", coalesce(s.graded - e.graded, 0) AS graded,
    round((s.points - e.points) / nullif(s.graded - e.graded, 0), 6)::float8 AS mean
  FROM ${itemsWithTitles}
    LEFT JOIN gradebook_statistics s ON s.kind = i.kind AND s.item_id = i.item_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS graded, coalesce(sum(g.grade), 0) AS points
      FROM gradebook_allowances a JOIN grades g
        ON g.student_id = a.student_id AND g.course_id = i.course_id AND g.kind = a.kind AND g.item_id = a.item_id
      WHERE a.kind = i.kind AND a.item_id = i.item_id AND a.excused AND g.grade IS NOT NULL) AS e
  WHERE i.course_id = $1 AND i.published AND NOT i.is_deleted AND k.deleted_at IS NULL
  ORDER BY i.created_at, i.kind, i.item_id`;

// A submission may be known from its grade, its upload or both.
const works = `
  SELECT coalesce(g.student_id, s.student_id) AS "studentId", kind, coalesce(g.item_id, s.item_id) AS "itemId",
    submission_id AS "submissionId", g.grade, g."totalGrade", coalesce(g."isHidden", false) AS "isHidden",
    s.submitted_at AS "submittedAt", s.late_waived AS "isLateWaived"
  FROM (
    SELECT g.kind, g.submission_id, g.student_id, g.item_id, g.grade::float8 AS grade,
      g.total_grade::float8 AS "totalGrade", ${isHidden} AS "isHidden"
    FROM grades g LEFT JOIN gradebook_items i ON i.kind = g.kind AND i.item_id = g.item_id
    WHERE g.course_id = $1 AND g.student_id = ANY($2)) AS g
  FULL JOIN (
    SELECT * FROM gradebook_submissions WHERE course_id = $1 AND student_id = ANY($2)) AS s
    USING (kind, submission_id)`;

const allowances = `
  SELECT a.student_id AS "studentId", a.kind, a.item_id AS "itemId", a.closes_at AS "closesAt", a.excused
  FROM gradebook_allowances a JOIN gradebook_items i ON i.kind = a.kind AND i.item_id = a.item_id
  WHERE a.student_id = ANY($2) AND i.course_id = $1`;

/** Reads the grid of a course: its published items and the submissions for them. */
export class GridRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns the published items of a course, oldest first. */
  items(courseId: number): Promise<GridItem[]> {
    return query(this.#db, { sql: items, values: [courseId] });
  }

  /** Returns the submissions of the given students of a course. */
  works(courseId: number, studentIds: number[]): Promise<GridWork[]> {
    return query(this.#db, { sql: works, values: [courseId, studentIds] });
  }

  /** Returns the allowances of the given students for the items of a course. */
  allowances(courseId: number, studentIds: number[]): Promise<GridAllowance[]> {
    return query(this.#db, { sql: allowances, values: [courseId, studentIds] });
  }
}
