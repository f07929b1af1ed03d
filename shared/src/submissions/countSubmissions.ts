import type { SubmissionCount } from '@gradeway/proto/submissions';
import type { Sequelize } from 'sequelize';
import { query } from '../database/query.ts';
import type { GradingTables } from '../grading/gradingTables.ts';

/** Returns the number of submissions and of graded submissions in each course, for the items that are not removed. */
export function countSubmissions(
  sequelize: Sequelize,
  { items, itemId, grade }: GradingTables,
  courseIds: number[],
): Promise<SubmissionCount[]> {
  // Counts for each item along submissions_in_order. A join would sort all rows by their course.
  const sql = `
    SELECT i.course_id AS "courseId", sum(n.submissions)::int AS submissions, sum(n.graded)::int AS graded
    FROM (${items}) AS i
    CROSS JOIN LATERAL (
      SELECT count(*) AS submissions, count(s.${grade}) AS graded FROM submissions s WHERE s.${itemId} = i.id) AS n
    WHERE i.course_id = ANY($1::integer[])
    GROUP BY i.course_id HAVING sum(n.submissions) > 0`;
  return query(sequelize, { name: 'submissions of courses', sql, values: [courseIds] });
}
