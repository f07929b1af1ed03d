import type { Grade, GradeRule } from '../grading/gradeResult.ts';
import type { Points } from '../grading/points.ts';

/** The numbers of answers of a submission. */
export interface AnswerCounts {
  answers: number;
  graded: number;
  /** Whether the submission was graded as a whole, and none of its answers has been graded since. */
  isWhole: boolean;
  points: Points;
  maxPoints: Points;
}

/**
 * The grade that the answers of a submission determine: null while one is ungraded; `kept` if the submission has no
 * questions or is graded as a whole.
 */
export function gradeByQuestions(
  rule: GradeRule,
  { answers, graded, isWhole, points, maxPoints }: AnswerCounts,
): Grade | null | 'kept' {
  if (answers === 0 || isWhole) return 'kept';
  return graded === answers ? rule(points, maxPoints) : null;
}
