import type { SubmissionCount } from '@gradeway/proto/submissions';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';

// Counted for each quiz along submissions_in_order: joined instead, all rows would be sorted by their course.
const ofCourses = `
  SELECT q.course_id AS "courseId", sum(n.submissions)::int AS submissions, sum(n.graded)::int AS graded
  FROM quizzes q
  CROSS JOIN LATERAL (
    SELECT count(*) AS submissions, count(s.grade) AS graded FROM submissions s WHERE s.quiz_id = q.id) AS n
  WHERE q.course_id = ANY($1::integer[]) AND q.deleted_at IS NULL
  GROUP BY q.course_id HAVING sum(n.submissions) > 0`;

/** The number of submissions for the quizzes of each course, and of those that are graded. */
export const countSubmissions = (sequelize: Sequelize, courseIds: number[]): Promise<SubmissionCount[]> =>
  query(sequelize, { name: 'submissions of courses', sql: ofCourses, values: [courseIds] });
