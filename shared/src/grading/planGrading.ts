import { invalid } from '../errors/appError.ts';
import { requiredMessage } from '../http/validation.ts';
import type { Detail } from './detailRepository.ts';
import type { GradableSubmission } from './gradableRepository.ts';
import type { GradedKind } from './gradedKind.ts';
import { gradeOf } from './gradeResult.ts';
import type { GivenGrading } from './gradingSchema.ts';
import { fromPoints, type Points } from './points.ts';
import { requireSelection } from './requireSelection.ts';

/** The state of a submission after a grading. */
interface GradedState {
  /** Null until all questions of the item are graded; until then only the comment and the annotations change. */
  grade: number | null;
  totalGrade: number | null;
  comment: string | null;
  selection: number[];
  adjustment: Points;
  /** Null for a grade without a rubric. */
  rubricRevision: number | null;
  gradedBy: number | null;
  gradedAt: Date | null;
  revision: number;
}

/** The effect of a grading on a submission. */
export interface PlannedGrading {
  after: GradedState;
  /** How the grade was given, for the metrics. */
  way: 'specification' | 'grade' | 'selection' | 'comment';
  /** Whether it is added to the history. A change to annotations alone does not. */
  isInHistory: boolean;
  /** Whether the grade or the comment changes, which creates a new revision and an event. */
  isPublished: boolean;
}

type Result = Pick<GradedState, 'grade' | 'totalGrade' | 'selection' | 'adjustment' | 'rubricRevision'>;

/**
 * Computes the result of a grading for the current state of a submission.
 * @throws AppError `invalid`, or ChangedMeanwhile when the rubric has a different revision
 */
export function planGrading(
  kind: Pick<GradedKind, 'rule' | 'fixedTotal'>,
  before: Detail,
  given: GivenGrading,
  callerId: number,
): PlannedGrading {
  const way = given.selection !== undefined ? 'selection' : given.grade !== undefined ? 'grade' : 'comment';
  if (before.hasAnswers && way !== 'comment') throw invalid({ grade: ['The item is graded by question.'] });
  return planResult(before, resultOf(kind, before, given), way, given.comment, callerId);
}

interface GivenGrade {
  grade: number;
  totalGrade: number;
  comment?: string | null | undefined;
  gradedBy: number;
}

/** Plans a grade given through the specification's endpoints. An omitted comment is kept. */
export const planGrade = (
  before: GradableSubmission,
  { grade, totalGrade, comment, gradedBy }: GivenGrade,
): PlannedGrading => planResult(before, withoutRubric(grade, totalGrade), 'specification', comment, gradedBy);

interface GradeOfFile {
  /** Null if only the comment changes. */
  grade: number | null;
  totalGrade: number | null;
  comment: string | undefined;
  gradedBy: number;
}

/** Plans a grade, or only a comment, from a line of a file. An omitted comment is kept. */
export function planGradeOfFile(
  before: GradableSubmission,
  { grade, totalGrade, comment, gradedBy }: GradeOfFile,
): PlannedGrading {
  return grade === null || totalGrade === null
    ? planResult(before, before, 'comment', comment, gradedBy)
    : planResult(before, withoutRubric(grade, totalGrade), 'grade', comment, gradedBy);
}

// A grade entered directly is not rubric-based, so the selection is cleared with it.
const withoutRubric = (grade: number, totalGrade: number): Result => ({
  ...{ grade, totalGrade, selection: [], adjustment: 0, rubricRevision: null },
});

function planResult(
  before: GradableSubmission,
  result: Result,
  way: PlannedGrading['way'],
  givenComment: string | null | undefined,
  callerId: number,
): PlannedGrading {
  const comment = givenComment === undefined ? before.comment : givenComment;
  const isChanged =
    before.grade !== result.grade || before.totalGrade !== result.totalGrade || before.comment !== comment;
  const isGraded = result.grade !== null;
  const isInHistory = isGraded && (way !== 'comment' || before.comment !== comment);
  const by = isInHistory
    ? { gradedBy: callerId, gradedAt: new Date() }
    : { gradedBy: before.gradedBy, gradedAt: before.gradedAt };
  const revision = before.revision + (isChanged ? 1 : 0);
  const { grade, totalGrade, selection, adjustment, rubricRevision } = result;
  return {
    after: { grade, totalGrade, selection, adjustment, rubricRevision, comment, ...by, revision },
    way,
    isInHistory,
    isPublished: isGraded && isChanged,
  };
}

function resultOf(
  { rule, fixedTotal }: Pick<GradedKind, 'rule' | 'fixedTotal'>,
  before: Detail,
  { selection, adjustment, rubricRevision, grade, totalGrade: givenTotal }: GivenGrading,
): Result {
  if (selection !== undefined) {
    const rubric = requireSelection(before.rubric, { selection, rubricRevision }, before);
    const chosen = { itemIds: selection, adjustment };
    return { ...gradeOf(rule, rubric, chosen), selection, adjustment, rubricRevision: rubric.revision };
  }
  if (grade !== undefined) {
    const totalGrade = fixedTotal ?? givenTotal ?? defaultTotal(before);
    requireWithinTotal(grade, totalGrade);
    return withoutRubric(grade, totalGrade);
  }
  if (!before.hasAnswers && before.grade === null) throw invalid({ grade: [requiredMessage('grade')] });
  return before;
}

function defaultTotal({ rubric, itemTotal }: Detail): number {
  const total = rubric ? fromPoints(rubric.maxPoints) : itemTotal;
  if (total === null) throw invalid({ total_grade: [requiredMessage('total grade')] });
  return total;
}

function requireWithinTotal(grade: number, totalGrade: number): void {
  if (grade > totalGrade) throw invalid({ grade: ['The grade may not be greater than the total grade.'] });
}

/** @throws AppError `invalid` for annotations that name an item that is not in the rubric */
export function requireKnownItems(before: Detail, annotations: { itemId: number | null }[]): void {
  const known = new Set(before.rubric?.items.map(({ id }) => id));
  const errors = annotations.flatMap(({ itemId }, index) =>
    itemId === null || known.has(itemId)
      ? []
      : [`The annotations.${index}.item_id ${itemId} is not in the rubric, or was removed.`],
  );
  if (errors.length > 0) throw invalid({ annotations: errors });
}
