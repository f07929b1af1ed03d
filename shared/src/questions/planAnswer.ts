import { invalid } from '../errors/appError.ts';
import type { GivenAnswerGrading } from '../grading/gradingSchema.ts';
import { fromPoints, type Points } from '../grading/points.ts';
import { requireSelection } from '../grading/requireSelection.ts';
import { pointsOf, type Rubric } from '../grading/rubric.ts';
import { requiredMessage } from '../http/validation.ts';
import type { Answer } from './answer.ts';
import type { AnswerChange } from './answerWriter.ts';

/** How an answer was graded, for the metrics. */
export const wayOf = ({ selection, points }: GivenAnswerGrading): 'selection' | 'grade' | 'comment' =>
  selection !== undefined ? 'selection' : points !== undefined ? 'grade' : 'comment';

/**
 * Computes the effect of a grading on an answer. As for whole submissions, an omitted comment is kept, and every
 * grading is added to the history, even with the same points as before.
 * @throws AppError `invalid`, or ChangedMeanwhile when the rubric has a different revision
 */
export function planAnswer(
  before: Answer,
  rubric: Rubric | undefined,
  given: GivenAnswerGrading,
  { userId, at }: { userId: number; at: Date },
): AnswerChange {
  const { submissionId, questionId } = before;
  const comment = given.comment === undefined ? before.comment : given.comment;
  const result = resultOf(before, rubric, given);
  const isChanged = wayOf(given) !== 'comment' || comment !== before.comment;
  const by = isChanged
    ? { gradedBy: userId, gradedAt: at }
    : { gradedBy: before.gradedBy, gradedAt: before.gradedAt };
  return { submissionId, questionId, ...result, comment, ...by, isChanged };
}

type Result = Pick<AnswerChange, 'points' | 'selection' | 'adjustment' | 'rubricRevision'>;

function resultOf(
  before: Answer,
  rubric: Rubric | undefined,
  { points, selection, adjustment, rubricRevision }: GivenAnswerGrading,
): Result {
  if (selection !== undefined) {
    const present = requireSelection(rubric, { selection, rubricRevision }, before);
    const chosen = { itemIds: selection, adjustment };
    const { revision } = present;
    return { points: pointsOf(present, chosen), selection, adjustment, rubricRevision: revision };
  }
  if (points !== undefined) {
    requireWithinMax(points, before.maxPoints);
    return { points, selection: [], adjustment: 0, rubricRevision: null };
  }
  if (before.points === null) throw invalid({ points: [requiredMessage('points')] });
  return {
    points: before.points,
    selection: before.selection,
    adjustment: before.adjustment,
    rubricRevision: before.rubricRevision,
  };
}

function requireWithinMax(points: Points, maxPoints: Points): void {
  if (points > maxPoints)
    throw invalid({ points: [`The points may not be greater than ${fromPoints(maxPoints)}.`] });
}
