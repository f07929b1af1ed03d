import type { Kind } from '../../shared/api/workTypes.ts';
import { readNumber } from '../../shared/ui/readNumber.ts';
import type { GradingBody } from '../queue/gradingRequests.ts';
import type { Annotation, Detail } from '../queue/gradingTypes.ts';
import { mergeMarks } from './mergeMarks.ts';
import type { Graded } from './questionSheet.ts';
import { ratingOf, selectionPoints } from './selectionPoints.ts';

/** A grader's input for one submission or answer. Numbers are stored as typed. */
export interface Draft {
  /** The source of the grade: the rubric, or a number that the grader entered. */
  by: 'rubric' | 'hand';
  selection: number[];
  /** The grader has decided that no item applies. An empty selection alone is not a decision. */
  noneApplies: boolean;
  adjustment: string;
  grade: string;
  total: string;
  comment: string;
  annotations: Annotation[];
}

/** Returns the initial form of a submission without a draft. */
export function draftOf(detail: Detail, usualTotal: number | null): Draft {
  const { rubric, status, rubric_revision, grade, total_grade } = detail;
  const isByHand = rubric === null || (status === 'graded' && rubric_revision === null);
  const total = total_grade ?? rubric?.max_points ?? usualTotal;
  return {
    by: isByHand ? 'hand' : 'rubric',
    selection: detail.selection,
    noneApplies: !isByHand && status === 'graded' && !detail.selection.length && detail.adjustment === 0,
    adjustment: detail.adjustment === 0 ? '' : String(detail.adjustment),
    grade: isByHand && grade !== null ? String(grade) : '',
    total: total === null ? '' : String(total),
    comment: detail.comment ?? '',
    annotations: detail.annotations,
  };
}

/** Returns the grade that results from a draft; undefined while there is none. */
export function gradeOf(draft: Draft, detail: Pick<Detail, 'rubric'>, graded: Graded): number | undefined {
  if (draft.by === 'hand') return readNumber(draft.grade);
  if (!detail.rubric) return undefined;
  const points = selectionPoints(detail.rubric, draft.selection, readNumber(draft.adjustment) ?? 0);
  return graded === 'homeworks' ? ratingOf(points) : points;
}

/** Whether the grader has chosen a rubric-based grade. The grade of an untouched form is not a choice. */
const isChosen = ({ selection, noneApplies, adjustment }: Draft): boolean =>
  selection.length > 0 || noneApplies || adjustment.trim() !== '';

/** Returns the points that a grader has given to a question; undefined until the grader has chosen. */
export const pointsOf = (draft: Draft, detail: Pick<Detail, 'rubric'>): number | undefined =>
  draft.by === 'hand' || isChosen(draft) ? gradeOf(draft, detail, 'question') : undefined;

export type DraftField = 'selection' | 'grade' | 'total' | 'adjustment' | 'comment';

/** Returns the validation errors of a draft: an English text per field. */
export function errorsIn(draft: Draft, graded: Graded): Partial<Record<DraftField, string>> {
  const errors: Partial<Record<DraftField, string>> = {};
  if ([...draft.comment].length > 1000) errors.comment = 'A comment can have up to 1,000 characters.';
  if (draft.by === 'rubric') {
    if (draft.adjustment.trim() !== '' && readNumber(draft.adjustment) === undefined)
      errors.adjustment = 'Enter a number with at most 4 decimals.';
    else if (!isChosen(draft)) errors.selection = 'Choose what applies, or that nothing does.';
    return errors;
  }
  const [grade, total] = [readNumber(draft.grade), readNumber(draft.total)];
  if (graded === 'homeworks') {
    if (grade === undefined || !Number.isInteger(grade) || grade < 1 || grade > 10)
      errors.grade = 'Enter a whole number from 1 to 10.';
    return errors;
  }
  if (grade === undefined || grade < 0) errors.grade = 'Enter a grade of at least 0.';
  if (total === undefined || total <= 0) errors.total = 'Enter a number above 0.';
  else if (grade !== undefined && grade > total) errors.grade = 'The grade is above the total.';
  return errors;
}

/** Builds the request body for a valid draft. `base` is the form that the grader started from. */
export function bodyOf(draft: Draft, base: Draft, detail: Detail, kind: Kind): GradingBody {
  const annotations = isEqual(draft.annotations, base.annotations) ? {} : { annotations: draft.annotations };
  const comment = draft.comment === base.comment ? {} : { comment: draft.comment || null };
  const extra = { ...comment, ...annotations } as Pick<GradingBody, 'comment' | 'annotations'>;
  if (detail.status === 'graded' && !changesGrade(draft, base)) return extra;
  if (draft.by === 'rubric' && detail.rubric)
    return {
      ...extra,
      selection: draft.selection,
      rubric_revision: detail.rubric.revision,
      adjustment: readNumber(draft.adjustment) ?? 0,
    };
  const grade = readNumber(draft.grade) ?? 0;
  return kind === 'homeworks'
    ? { ...extra, grade }
    : { ...extra, grade, total_grade: readNumber(draft.total) ?? 0 };
}

/** Builds the request body that restores a graded submission to an earlier state. */
export function restoringBody({ comment, annotations, rubric, ...before }: Detail): GradingBody {
  const common = { comment, annotations } as Pick<GradingBody, 'comment' | 'annotations'>;
  if (rubric && before.rubric_revision !== null) {
    const { selection, adjustment } = before;
    return { ...common, selection, rubric_revision: rubric.revision, adjustment };
  }
  const grade = before.grade ?? 0;
  return before.total_grade === null
    ? { ...common, grade }
    : { ...common, grade, total_grade: before.total_grade };
}

const gradeFields = ['by', 'selection', 'noneApplies', 'adjustment', 'grade', 'total'] as const;

const changesGrade = (draft: Draft, base: Draft) =>
  gradeFields.some((field) => !isEqual(draft[field], base[field]));

export const isSameDraft = (one: Draft, other: Draft): boolean => isEqual(one, other);

/** Drafts are plain data with a fixed order of properties. */
function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Merges a draft that started from `base` into a submission that has since changed to `theirs`. A part that only one
 * side has changed is taken from that side. If both sides have changed the grade, the comment or the marks, the grader
 * must choose: these are not merged. Only the marks of graders of different questions are merged, because these share
 * the pages.
 */
export function mergeDraft(
  base: Draft,
  mine: Draft,
  theirs: Draft,
  graded?: Graded,
): { draft: Draft; isConflict: boolean } {
  let isConflict = false;
  const pick = <T>(before: T, own: T, other: T): T => {
    if (isEqual(before, own)) return other;
    if (!isEqual(before, other) && !isEqual(own, other)) isConflict = true;
    return own;
  };
  const grade = pick(gradeIn(base), gradeIn(mine), gradeIn(theirs));
  const draft = {
    ...grade,
    comment: pick(base.comment, mine.comment, theirs.comment),
    annotations:
      graded === 'question'
        ? mergeMarks(base.annotations, mine.annotations, theirs.annotations)
        : pick(base.annotations, mine.annotations, theirs.annotations),
  };
  return { draft, isConflict };
}

// The grade is a single decision: mixing both sides would produce a grade that no grader gave.
const gradeIn = ({ by, selection, noneApplies, adjustment, grade, total }: Draft) => ({
  by,
  selection,
  noneApplies,
  adjustment,
  grade,
  total,
});

/** Adapts a draft to the current rubric: deselects items that were removed. */
export function fitToRubric(draft: Draft, { rubric }: Pick<Detail, 'rubric'>): Draft {
  if (draft.by === 'rubric' && !rubric) return { ...draft, by: 'hand', selection: [] };
  const known = new Set(rubric?.items.map(({ id }) => id));
  const selection = draft.selection.filter((id) => known.has(id));
  const annotations = draft.annotations.map((mark) =>
    mark.item_id === null || known.has(mark.item_id) ? mark : { ...mark, item_id: null },
  );
  return { ...draft, selection, annotations };
}
