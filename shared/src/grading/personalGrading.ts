/*
 * SQL of a person's data in the grading tables. Each query continues after the id $2 of the last row, and returns at most $3
 * rows.
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

/** The submissions that a member of staff, $1, handed in for students. */
export const handedInBy = `
  SELECT id, submitted_at FROM submissions WHERE submitted_by = $1 AND id > $2 ORDER BY id LIMIT $3`;

/**
 * The graders of a service and those who handed in for students, whose names lists contain. There are few, and each takes one
 * lookup in the index gradings_of_grader or submissions_handed_in.
 */
export const gradersOf = `
  SELECT user_id FROM (
    WITH RECURSIVE grader AS (
      SELECT min(graded_by) AS user_id FROM gradings
      UNION ALL
      SELECT (SELECT min(g.graded_by) FROM gradings g WHERE g.graded_by > grader.user_id) FROM grader
      WHERE grader.user_id IS NOT NULL)
    SELECT user_id FROM grader WHERE user_id IS NOT NULL
    UNION ALL SELECT user_id FROM claims
    UNION ALL SELECT DISTINCT submitted_by FROM submissions WHERE submitted_by IS NOT NULL) AS graders`;
