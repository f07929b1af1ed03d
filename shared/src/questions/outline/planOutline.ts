import { keysetPages } from '../../database/keysetPages.ts';
import type { Grade, GradeRule } from '../../grading/gradeResult.ts';
import type { Points } from '../../grading/points.ts';
import { batchSize, countChange, noRegrading, type Regrading } from '../../grading/regrade.ts';
import { pointsOf } from '../../grading/rubric.ts';
import { gradeByQuestions } from '../gradeByQuestions.ts';
import type { OutlineChange } from './outlineChange.ts';
import type { OutlinedAnswer, OutlinedSubmission } from './outlinedSubmissions.ts';

/** The effect of an outline change. */
export interface OutlineEffect extends Regrading {
  /** Submissions that are no longer graded, because an answer is missing. */
  ungraded: number;
}

interface Planned {
  change: OutlineChange;
  /** The total of the new outline. */
  total: Points;
  rule: GradeRule;
}

/** Computes the effect of a change from the submissions that have a graded answer, because it can affect no others. */
export async function planOutline(
  planned: Planned,
  after: (last: OutlinedSubmission | undefined, limit: number) => Promise<OutlinedSubmission[]>,
): Promise<OutlineEffect> {
  const effect: OutlineEffect = { ...noRegrading(), ungraded: 0 };
  for await (const batch of keysetPages<OutlinedSubmission>((last) => after(last, batchSize)))
    for (const submission of batch) countEffect(effect, submission, gradeAfter(planned, submission));
  return effect;
}

/** Returns the grade of a submission after the change; null if it has none, `kept` if no questions remain. */
export function gradeAfter(
  { change: { removed, resized, added }, total, rule }: Planned,
  { answers }: Pick<OutlinedSubmission, 'answers'>,
): Grade | null | 'kept' {
  const isRemoved = new Set(removed.map(({ id }) => id));
  const kept = answers.filter(({ questionId }) => !isRemoved.has(questionId));
  const rubrics = new Map(resized.map(({ id, rubric }) => [id, rubric]));
  const pointsAfter = ({ questionId, points, isByRubric, selection, adjustment }: OutlinedAnswer) => {
    const rubric = rubrics.get(questionId);
    return rubric && isByRubric ? pointsOf(rubric, { itemIds: selection, adjustment }) : points;
  };
  const graded = kept.flatMap((answer) => pointsAfter(answer) ?? []);
  return gradeByQuestions(rule, {
    answers: kept.length + added,
    graded: graded.length,
    isWhole: false,
    points: graded.reduce((sum, points) => sum + points, 0),
    maxPoints: total,
  });
}

function countEffect(
  effect: OutlineEffect,
  { id: submissionId, studentName, grade: from, totalGrade }: OutlinedSubmission,
  after: Grade | null | 'kept',
): void {
  if (after === 'kept') return;
  if (after === null) {
    if (from !== null) effect.ungraded += 1;
  } else if (after.grade !== from || after.totalGrade !== totalGrade)
    countChange(effect, { submissionId, studentName, from, to: after.grade });
}
