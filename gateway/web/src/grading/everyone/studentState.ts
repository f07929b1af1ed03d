/** The state of a student for an item. */
export const studentStates = ['missing', 'submitted', 'graded', 'excused'] as const;

export type StudentState = (typeof studentStates)[number];

export const isStudentState = (value: unknown): value is StudentState =>
  studentStates.includes(value as StudentState);
