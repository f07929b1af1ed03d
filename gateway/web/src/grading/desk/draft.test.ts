import { expect, test } from 'vitest';
import type { Detail, Rubric } from '../queue/gradingTypes.ts';
import {
  bodyOf,
  type Draft,
  draftOf,
  errorsIn,
  fitToRubric,
  gradeOf,
  mergeDraft,
  pointsOf,
} from './draft.ts';

const rubric: Rubric = {
  revision: 3,
  mode: 'subtract',
  max_points: 10,
  min_points: 0,
  items: [
    { id: 1, points: 2.5, text: 'no proof', explanation: null, group: null, key: null, uses: 0 },
    { id: 2, points: 1, text: 'no example', explanation: null, group: null, key: null, uses: 0 },
  ],
};

const ungraded: Detail = {
  id: 11,
  student: { id: 7, name: 'Ada Lovelace', email: 'ada@school.example' },
  submitted_at: '2026-11-21T19:05:00Z',
  submitted_by: null,
  status: 'ungraded',
  grade: null,
  final_grade: null,
  late: null,
  total_grade: null,
  graded_by: null,
  graded_at: null,
  claimed_by: null,
  claimed_until: null,
  flags: [],
  late_waived: false,
  item_id: 3,
  revision: 0,
  comment: null,
  files: [],
  selection: [],
  adjustment: 0,
  rubric_revision: null,
  annotations: [],
  annotated_url: null,
  rubric,
  answers: [],
  graded_questions: 0,
};
const graded: Detail = {
  ...ungraded,
  status: 'graded',
  grade: 7.5,
  final_grade: 7.5,
  total_grade: 10,
  selection: [1],
  rubric_revision: 3,
  comment: 'Good.',
};

const base = draftOf(ungraded, 10);

test('a submission is graded with its rubric if it has one, and otherwise with a number', () => {
  expect(base).toMatchObject({ by: 'rubric', grade: '', total: '10' });
  expect(draftOf({ ...ungraded, rubric: null }, 20)).toMatchObject({ by: 'hand', total: '20' });
  expect(draftOf({ ...graded, rubric_revision: null, selection: [] }, 10)).toMatchObject({
    by: 'hand',
    grade: '7.5',
  });
});

test('the grade is computed from the selection and the adjustment', () => {
  const draft: Draft = { ...base, selection: [1], adjustment: '-0.5' };
  expect(gradeOf(draft, ungraded, 'quizzes')).toBe(7);
  expect(bodyOf(draft, base, ungraded, 'quizzes')).toEqual({
    selection: [1],
    rubric_revision: 3,
    adjustment: -0.5,
  });
});

test('a number that the grader enters replaces the selection', () => {
  const draft: Draft = { ...base, by: 'hand', grade: '8,5', total: '12' };
  expect(bodyOf(draft, base, ungraded, 'quizzes')).toEqual({ grade: 8.5, total_grade: 12 });
  expect(bodyOf({ ...draft, grade: '8' }, base, ungraded, 'homeworks')).toEqual({ grade: 8 });
});

test('only the comment is sent if only the comment of a graded submission has changed', () => {
  const before = draftOf(graded, 10);
  expect(bodyOf({ ...before, comment: 'Very good.' }, before, graded, 'quizzes')).toEqual({
    comment: 'Very good.',
  });
  expect(bodyOf({ ...before, comment: '' }, before, graded, 'quizzes')).toEqual({ comment: null });
});

test.each(['subtract', 'add'] as const)('an untouched form has no grade: %s', (mode) => {
  const form = draftOf({ ...ungraded, rubric: { ...rubric, mode } }, 10);
  expect(errorsIn(form, 'quizzes')).toHaveProperty('selection');
  expect(errorsIn({ ...form, comment: 'Good.' }, 'homeworks')).toHaveProperty('selection');
  for (const choice of [{ selection: [1] }, { adjustment: '-1' }, { noneApplies: true }])
    expect(errorsIn({ ...form, ...choice }, 'quizzes')).toEqual({});
});

test('"no item applies" is a rubric grade, and is restored for a graded submission', () => {
  const none = { ...base, noneApplies: true };
  const body = { selection: [], rubric_revision: 3, adjustment: 0 };
  expect(bodyOf(none, base, ungraded, 'quizzes')).toEqual(body);
  const perfect: Detail = { ...graded, grade: 10, selection: [] };
  expect(draftOf(perfect, 10)).toMatchObject({ by: 'rubric', noneApplies: true });
  expect(draftOf(graded, 10)).toMatchObject({ noneApplies: false });
  expect(draftOf({ ...perfect, adjustment: -1 }, 10)).toMatchObject({ noneApplies: false });
});

test('errors are reported by field', () => {
  const hand: Draft = { ...base, by: 'hand', grade: '11', total: '10' };
  expect(errorsIn(hand, 'quizzes')).toHaveProperty('grade');
  expect(errorsIn({ ...hand, total: '0' }, 'quizzes')).toHaveProperty('total');
  expect(errorsIn({ ...hand, grade: '7.5' }, 'homeworks')).toHaveProperty('grade');
  expect(errorsIn({ ...hand, grade: '10' }, 'quizzes')).toEqual({});
  expect(errorsIn({ ...base, comment: '👍'.repeat(1000) }, 'quizzes')).not.toHaveProperty('comment');
  expect(errorsIn({ ...base, comment: 'a'.repeat(1001) }, 'quizzes')).toHaveProperty('comment');
  expect(errorsIn({ ...base, adjustment: 'x' }, 'quizzes')).toHaveProperty('adjustment');
});

test('a field that only one side has changed is taken from that side', () => {
  const mine = { ...base, comment: 'Mine' };
  const theirs = { ...base, selection: [2] };
  expect(mergeDraft(base, mine, theirs)).toEqual({
    draft: { ...base, comment: 'Mine', selection: [2] },
    isConflict: false,
  });
});

test('two changed grades conflict even if they differ in different fields', () => {
  const mine: Draft = { ...base, selection: [1] };
  const theirs: Draft = { ...base, adjustment: '1' };
  expect(mergeDraft(base, mine, theirs)).toEqual({ draft: mine, isConflict: true });
});

test('the same change on both sides is not a conflict', () => {
  const same: Draft = { ...base, selection: [1] };
  expect(mergeDraft(base, same, { ...same }).isConflict).toBe(false);
});

test('items that are no longer in the rubric are not selected', () => {
  const draft: Draft = { ...base, selection: [1, 9] };
  expect(fitToRubric(draft, ungraded).selection).toEqual([1]);
  expect(fitToRubric(draft, { rubric: null })).toMatchObject({ by: 'hand', selection: [] });
});

test('the points of a question are not a rating, and are at most its maximum', () => {
  const draft: Draft = { ...base, selection: [1] };
  expect(gradeOf(draft, ungraded, 'homeworks')).toBe(8);
  expect(gradeOf(draft, ungraded, 'question')).toBe(7.5);
  const hand: Draft = { ...base, by: 'hand', grade: '10.5', total: '10' };
  expect(errorsIn(hand, 'question')).toHaveProperty('grade');
  expect(errorsIn({ ...hand, grade: '0' }, 'question')).toEqual({});
});

test('an untouched form gives no points to a question', () => {
  expect(pointsOf(base, ungraded)).toBeUndefined();
  expect(pointsOf({ ...base, noneApplies: true }, ungraded)).toBe(10);
  expect(pointsOf({ ...base, by: 'hand', grade: '3' }, ungraded)).toBe(3);
});
