import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';
import type { GridAllowance, GridColumn, GridItem, GridWork } from '../domain/grid.ts';
import { isHidden, itemsWithTitles, itemTitle } from './itemState.ts';

// The assignment of a deleted class is not shown.
const items = `
  SELECT i.kind, i.item_id AS "itemId", ${itemTitle} AS title, i.total_grade::float8 AS "totalGrade",
    i.closes_at AS "closesAt", i.late, i.released_at AS "releasedAt",
    i.anonymous AND i.released_at IS NULL AS "isAnonymous"
  FROM ${itemsWithTitles}
  WHERE i.course_id = $1 AND i.published AND NOT i.is_deleted AND k.deleted_at IS NULL
  ORDER BY i.created_at, i.kind, i.item_id`;

const isExcused = `
  SELECT FROM gradebook_allowances a
  WHERE a.student_id = g.student_id AND a.kind = g.kind AND a.item_id = g.item_id AND a.excused`;
const statistics = `
  SELECT kind, item_id AS "itemId", count(*)::int AS graded, round(avg(grade), 6)::float8 AS mean
  FROM grades g WHERE course_id = $1 AND grade IS NOT NULL AND NOT EXISTS (${isExcused})
  GROUP BY kind, item_id`;

// A submission is known by its grade, by its upload, or by both.
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

type Key = Pick<GridItem, 'kind' | 'itemId'>;

/** Reads the grid of a course: its published items, and what its students handed in for them. */
export class GridRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns the published items of a course, oldest first. */
  items(courseId: number): Promise<GridColumn[]> {
    return query<GridColumn>(this.#db, { sql: items, values: [courseId] });
  }

  /** Returns the same items with the numbers and means of their grades. */
  async itemsWithStatistics(courseId: number): Promise<GridItem[]> {
    const listed = await this.items(courseId);
    const rows = await query<Key & Pick<GridItem, 'mean' | 'graded'>>(this.#db, {
      sql: statistics,
      values: [courseId],
    });
    const statisticsOf = new Map(rows.map((row) => [`${row.kind} ${row.itemId}`, row]));
    return listed.map((item) => {
      const { mean = null, graded = 0 } = statisticsOf.get(`${item.kind} ${item.itemId}`) ?? {};
      return { ...item, mean, graded };
    });
  }

  /** Returns the submissions of some students of a course. */
  works(courseId: number, studentIds: number[]): Promise<GridWork[]> {
    return query(this.#db, { sql: works, values: [courseId, studentIds] });
  }

  /** Returns the allowances of some students for the items of a course. */
  allowances(courseId: number, studentIds: number[]): Promise<GridAllowance[]> {
    return query(this.#db, { sql: allowances, values: [courseId, studentIds] });
  }
}
