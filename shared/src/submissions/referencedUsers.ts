import { gradersOf } from '../grading/personalGrading.ts';

/** A query for the users whose names the lists of a service with submissions may contain. */
export const referencedUsers = `SELECT student_id AS user_id FROM submissions UNION ALL ${gradersOf}`;
