/*
 * SQL for a person's data in the allowances. Each query continues after the id $2 of the last row, and returns at most
 * $3 rows.
 */

/** The allowances of the student $1, by item. */
const ofStudent = `
  SELECT item_id AS id, closes_at, extra_minutes, excused, note, changed_at FROM allowances
  WHERE student_id = $1 AND NOT is_removed AND item_id > $2 ORDER BY item_id LIMIT $3`;

/** The number of allowances whose last change was made by the teacher $1, by item. */
const madeByTeacher = `
  SELECT item_id AS id, count(*)::int AS students, max(changed_at) AS changed_at FROM allowances
  WHERE changed_by = $1 AND item_id > $2 GROUP BY item_id ORDER BY item_id LIMIT $3`;

/** The records of a person as a student and as a teacher, by kind. */
export const allowanceRecords: [kind: string, sql: string][] = [
  ['allowances', ofStudent],
  ['allowances_made', madeByTeacher],
];

/**
 * Deletes the allowances of the student $1. An erased person never gets an allowance again, so the revisions need not
 * be kept.
 */
export const eraseAllowances = 'DELETE FROM allowances WHERE student_id = $1';

/** The people whose names the lists of allowances contain. */
export const peopleOfAllowances = `
  SELECT student_id AS user_id FROM allowances UNION ALL SELECT changed_by FROM allowances`;
