/*
 * SQL for a person's data in the grading tables. Each query continues after the id $2 of the last row, and returns at
 * most $3 rows.
 */

/** The columns of a grader's selection in the rubric, in `submissions` or `gradings`. */
export const selectionColumns = (alias: string): string =>
  `${alias}.selection, ${alias}.adjustment::float8 AS adjustment, ${alias}.rubric_revision`;

/** The marks on the files of the student $1: `from` joins them with `annotations a`. */
export const annotationsOn = (from: string): string => `
  SELECT a.file_id AS id, a.marks FROM ${from} WHERE a.file_id > $2 ORDER BY a.file_id LIMIT $3`;

/** The claims of the grader $1. */
export const claimsOf = `
  SELECT submission_id AS id, claimed_until FROM claims
  WHERE user_id = $1 AND submission_id > $2 ORDER BY submission_id LIMIT $3`;

const answer = `
  a.question_id, a.points::float8 AS points, a.comment, a.selection, a.adjustment::float8 AS adjustment, a.rubric_revision,
  a.graded_at`;
const review = `
  r.submission_id, r.question_id, r.state, r.answer, r.grade_before::float8 AS grade_before,
  r.grade_after::float8 AS grade_after, r.created_at, r.closed_at`;

/**
 * The answers of the student $1 with their gradings and reviews, and what $1 has done as a grader with the answers of
 * others. Answers have no id, so the answers of a submission form one record.
 */
export const questionRecords: [kind: string, sql: string][] = [
  [
    'answers',
    `SELECT s.id, (
       SELECT json_agg(each ORDER BY question_id)
       FROM (SELECT ${answer}, a.pages FROM answers a WHERE a.submission_id = s.id) AS each) AS answers
     FROM submissions s
     WHERE s.student_id = $1 AND s.id + 0 > $2 AND EXISTS (SELECT FROM answers a WHERE a.submission_id = s.id)
     ORDER BY s.id LIMIT $3`,
  ],
  [
    'answer_gradings_received',
    `SELECT a.id, a.submission_id, ${answer}, a.reason
     FROM submissions s JOIN answer_gradings a ON a.submission_id = s.id
     WHERE s.student_id = $1 AND a.id > $2 ORDER BY a.id LIMIT $3`,
  ],
  [
    'answer_gradings_made',
    `SELECT a.id, a.submission_id, ${answer}, a.reason FROM answer_gradings a
     WHERE a.graded_by = $1 AND a.id > $2 ORDER BY a.id LIMIT $3`,
  ],
  [
    'answer_claims',
    `SELECT submission_id AS id, json_agg(json_build_object('question_id', question_id, 'claimed_until', claimed_until)) AS claims
     FROM answer_claims WHERE user_id = $1 AND submission_id > $2 GROUP BY submission_id ORDER BY submission_id LIMIT $3`,
  ],
  [
    'reviews',
    `SELECT r.id, r.text, ${review} FROM submissions s JOIN reviews r ON r.submission_id = s.id
     WHERE s.student_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3`,
  ],
  [
    'reviews_answered',
    `SELECT r.id, ${review} FROM reviews r WHERE r.answered_by = $1 AND r.id > $2 ORDER BY r.id LIMIT $3`,
  ],
];

/** The grade files that the teacher $1 uploaded in the last day. */
export const gradeFilesBy = `
  SELECT id, item_id, changed, applied_at FROM grade_files WHERE created_by = $1 AND id > $2 ORDER BY id LIMIT $3`;

/** The changes for the student $1 in grade files that have not been applied. */
export const gradeFilesAbout = `
  SELECT f.id, s.id AS submission_id, c.change->'grade' AS grade, c.change->'comment' AS comment
  FROM grade_files f CROSS JOIN jsonb_array_elements(f.changes) AS c (change)
    JOIN submissions s ON s.id = (c.change->>'submissionId')::integer
  WHERE s.student_id = $1 AND f.id > $2 ORDER BY f.id LIMIT $3`;

/** Deletes both. With one student removed, a plan would no longer match what its dry run showed. */
export const deleteGradeFiles = `
  DELETE FROM grade_files f
  WHERE f.created_by = $1 OR EXISTS (
    SELECT FROM jsonb_array_elements(f.changes) AS c (change)
      JOIN submissions s ON s.id = (c.change->>'submissionId')::integer
    WHERE s.student_id = $1)`;

/** The submissions that the staff member $1 handed in for students. */
export const handedInBy = `
  SELECT id, submitted_at FROM submissions WHERE submitted_by = $1 AND id > $2 ORDER BY id LIMIT $3`;

/**
 * The graders of a service, and the staff who handed in work for students. Lists contain their names. There are few of
 * them, and each takes one lookup in the index gradings_of_grader, answer_gradings_of_grader, submissions_handed_in or
 * reviews_answered.
 */
export const gradersOf = `
  SELECT user_id FROM (
    WITH RECURSIVE grader AS (
      SELECT min(graded_by) AS user_id FROM gradings
      UNION ALL
      SELECT (SELECT min(g.graded_by) FROM gradings g WHERE g.graded_by > grader.user_id) FROM grader
      WHERE grader.user_id IS NOT NULL)
    SELECT user_id FROM grader WHERE user_id IS NOT NULL
    UNION ALL (
      WITH RECURSIVE grader AS (
        SELECT min(graded_by) AS user_id FROM answer_gradings
        UNION ALL
        SELECT (SELECT min(g.graded_by) FROM answer_gradings g WHERE g.graded_by > grader.user_id) FROM grader
        WHERE grader.user_id IS NOT NULL)
      SELECT user_id FROM grader WHERE user_id IS NOT NULL)
    UNION ALL SELECT user_id FROM claims
    UNION ALL SELECT user_id FROM answer_claims
    UNION ALL SELECT DISTINCT answered_by FROM reviews WHERE answered_by IS NOT NULL
    UNION ALL SELECT DISTINCT submitted_by FROM submissions WHERE submitted_by IS NOT NULL) AS graders`;
