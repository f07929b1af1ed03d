import { gradersOf } from '../grading/personalGrading.ts';
import { peopleOfAllowances } from '../items/personalAllowances.ts';

/** A query for the users whose names the lists of a service with submissions may contain. */
export const referencedUsers = `
  SELECT student_id AS user_id FROM submissions UNION ALL ${gradersOf} UNION ALL ${peopleOfAllowances}`;
