import type { SubmissionCount } from '@gradeway/proto/submissions';
import { selectPrepared } from '@gradeway/shared/database/preparedQuery';
import type { Sequelize } from 'sequelize';

// Along quizzes_of_course, then submissions_in_order.
const ofCourses = `
  SELECT q.course_id AS "courseId", count(*)::int AS submissions, count(s.grade)::int AS graded
  FROM quizzes q JOIN submissions s ON s.quiz_id = q.id
  WHERE q.course_id = ANY($1::integer[]) AND q.deleted_at IS NULL
  GROUP BY q.course_id`;

/** The number of submissions for the quizzes of each course, and of those that are graded. */
export const countSubmissions = (sequelize: Sequelize, courseIds: number[]): Promise<SubmissionCount[]> =>
  selectPrepared(sequelize, 'submissions of courses', ofCourses, [courseIds]);
