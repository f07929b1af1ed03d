import type { Grade, GradeRule } from '../grading/gradeResult.ts';
import type { Points } from '../grading/points.ts';

/** The answers of a submission, counted. */
export interface AnswerCounts {
  answers: number;
  graded: number;
  /** Whether the submission was graded as a whole, and none of its answers since. */
  isWhole: boolean;
  points: Points;
  maxPoints: Points;
}

/**
 * The grade of a submission that its answers determine: null while one is missing; `kept` if the submission has no questions or is
 * graded as a whole.
 */
export function gradeByQuestions(
  rule: GradeRule,
  { answers, graded, isWhole, points, maxPoints }: AnswerCounts,
): Grade | null | 'kept' {
  if (answers === 0 || isWhole) return 'kept';
  return graded === answers ? rule(points, maxPoints) : null;
}
