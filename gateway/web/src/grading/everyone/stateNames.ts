import type { StudentState } from './studentState.ts';

/** English texts. */
export const stateNames: Record<StudentState, string> = {
  missing: 'Missing',
  submitted: 'Submitted',
  graded: 'Graded',
  excused: 'Excused',
};
