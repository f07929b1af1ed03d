import { expect, test } from 'vitest';
import {
  bodyOf,
  concernsGrades,
  errorIn,
  formOf,
  isChanged,
  keptOver,
  newQuestion,
  nextLabel,
  totalOf,
} from './outlineForm.ts';

const region = { page: 1, rect: [50, 400, 300, 100] as [number, number, number, number] };
const question = { title: null, region: null, rubric: null, graded: 0 };
const outline = {
  revision: 3,
  total_points: 10.1,
  questions: [
    { ...question, id: 4, label: '1', max_points: 4.1, position: 1, region },
    { ...question, id: 5, label: '2b', title: 'Induction', max_points: 6, position: 2, graded: 2 },
  ],
};
const added = { ...newQuestion('3'), points: '2,5' };

test('an outline passes through its form unchanged, with the ids and regions of its questions', () => {
  expect(bodyOf(formOf(outline))).toEqual({
    questions: [
      { id: 4, label: '1', title: null, max_points: 4.1, region },
      { id: 5, label: '2b', title: 'Induction', max_points: 6, region: null },
    ],
  });
});

test('a new question has no id, and its points may have a decimal comma', () => {
  expect(bodyOf([added]).questions).toEqual([{ label: '3', title: null, max_points: 2.5, region: null }]);
});

test('an added row that was not filled in is dropped', () => {
  const form = formOf(outline);
  const longer = [...form, newQuestion('3')];
  expect(errorIn(longer)).toBeUndefined();
  expect(isChanged(longer, form)).toBe(false);
  expect(isChanged([...form, added], form)).toBe(true);
  expect(isChanged(form.toReversed(), form)).toBe(true);
  expect(bodyOf(formOf({ ...outline, questions: [] })).questions).toEqual([]);
});

test('the total is exact', () => {
  expect(totalOf(['0.1', '0.2', '0,7', 'x', ''].map((points) => ({ ...added, points })))).toBe(1);
});

test.each([
  [[{ ...added, label: ' ' }], 'needs a label'],
  [[added, { ...added, label: ' 3' }], 'same label'],
  [[{ ...added, points: '0' }], 'above 0'],
  [[{ ...added, points: 'two' }], 'above 0'],
  [[{ ...newQuestion('3'), title: 'Induction' }], 'above 0'],
  [[{ ...added, points: '1000000' }], 'less than 1,000,000'],
  [Array.from({ length: 101 }, (_, index) => ({ ...added, label: String(index) })), 'up to 100'],
])('%o is rejected', (form, error) => {
  expect(errorIn(form)).toContain(error);
});

test('grades change when a question is added to graded ones, or a graded one is removed or gets another maximum', () => {
  const [first, second] = formOf(outline) as [typeof added, typeof added];
  const nothingGraded = {
    ...outline,
    questions: outline.questions.map((each) => ({ ...each, graded: 0 })),
  };
  expect(concernsGrades([second, { ...first, label: '1a', title: 'Sets' }], outline)).toBe(false);
  expect(concernsGrades([{ ...first, points: '5' }, second], outline)).toBe(false);
  expect(concernsGrades([first, { ...second, points: '7' }], outline)).toBe(true);
  expect(concernsGrades([first, second, added], outline)).toBe(true);
  expect(concernsGrades([first, second, newQuestion('3')], outline)).toBe(false);
  expect(concernsGrades([second], outline)).toBe(true);
  expect(concernsGrades([first, { ...second, points: '7' }, added], nothingGraded)).toBe(false);
});

test('a question that another teacher has removed becomes a new one when it is kept', () => {
  const theirs = { ...outline, questions: outline.questions.slice(0, 1) };
  expect(keptOver([...formOf(outline), added], theirs).map(({ id }) => id)).toEqual([4, null, null]);
});

test.each([
  ['1', '2'],
  ['9', '10'],
  ['2b', '2c'],
  ['Q3', 'Q4'],
  ['2z', ''],
  ['a', 'b'],
  ['Bonus', ''],
])('after %s comes "%s"', (label, next) => {
  expect(nextLabel(label)).toBe(next);
});
