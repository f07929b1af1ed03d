import type { SubmissionCount } from '@gradeway/proto/submissions';
import { selectPrepared } from '@gradeway/shared/database/preparedQuery';
import type { Sequelize } from 'sequelize';

// Along classes_of_course, then submissions_in_order.
const ofCourses = `
  SELECT k.course_id AS "courseId", count(*)::int AS submissions, count(s.rating)::int AS graded
  FROM classes k JOIN submissions s ON s.class_id = k.class_id
  WHERE k.course_id = ANY($1::integer[]) AND k.is_listed
  GROUP BY k.course_id`;

/** The number of submissions for the assignments of each course, and of those that are graded. */
export const countSubmissions = (sequelize: Sequelize, courseIds: number[]): Promise<SubmissionCount[]> =>
  selectPrepared(sequelize, 'submissions of courses', ofCourses, [courseIds]);
