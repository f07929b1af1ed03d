import type { SubmissionCount } from '@gradeway/proto/submissions';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';

// Counted for each class along submissions_in_order: joined instead, all rows would be sorted by their course.
const ofCourses = `
  SELECT k.course_id AS "courseId", sum(n.submissions)::int AS submissions, sum(n.graded)::int AS graded
  FROM classes k
  CROSS JOIN LATERAL (
    SELECT count(*) AS submissions, count(s.rating) AS graded FROM submissions s WHERE s.class_id = k.class_id) AS n
  WHERE k.course_id = ANY($1::integer[]) AND k.is_listed
  GROUP BY k.course_id HAVING sum(n.submissions) > 0`;

/** The number of submissions for the assignments of each course, and of those that are graded. */
export const countSubmissions = (sequelize: Sequelize, courseIds: number[]): Promise<SubmissionCount[]> =>
  query(sequelize, { name: 'submissions of courses', sql: ofCourses, values: [courseIds] });
