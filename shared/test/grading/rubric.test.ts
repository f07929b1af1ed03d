import { describe, expect, test } from 'vitest';
import { gradeOf, pointsGrade, ratingGrade } from '../../src/grading/gradeResult.ts';
import { fromPoints, toPoints } from '../../src/grading/points.ts';
import { conflictIn, pointsOf, type Rubric } from '../../src/grading/rubric.ts';

const item = (id: number, points: number, group: string | null = null) => ({
  id,
  points: toPoints(points),
  text: `Item ${id}`,
  explanation: null,
  group,
  key: null,
});

const rubric = (change: Partial<Rubric> = {}): Rubric => ({
  revision: 1,
  mode: 'add',
  maxPoints: toPoints(10),
  minPoints: 0,
  items: [item(1, 0.1), item(2, 0.2), item(3, 6), item(4, 7)],
  ...change,
});

const select = (itemIds: number[], adjustment = 0) => ({ itemIds, adjustment: toPoints(adjustment) });
const points = (given: Rubric, itemIds: number[], adjustment = 0) =>
  fromPoints(pointsOf(given, select(itemIds, adjustment)));

describe('the points of a selection', () => {
  test('the points of a selection are exact decimals', () => {
    expect(points(rubric(), [1, 2])).toBe(0.3);
    const tenths = rubric({ items: Array.from({ length: 100 }, (_, index) => item(index + 1, 0.0999)) });
    const all = tenths.items.map(({ id }) => id);
    expect(points(tenths, all)).toBe(9.99);
    expect(points(rubric({ mode: 'subtract' }), [1, 2])).toBe(9.7);
  });

  test.each([
    ['adds from 0', 'add', [3], 0, 6],
    ['takes away from the maximum', 'subtract', [3], 0, 4],
    ['of no item is 0 or the maximum', 'subtract', [], 0, 10],
    ['is kept within the maximum before the adjustment', 'add', [3, 4], -1, 9],
    ['is kept above 0 before the adjustment', 'subtract', [3, 4], 1, 1],
    ['is kept within the maximum after the adjustment', 'add', [3], 100, 10],
    ['is kept above 0 after the adjustment', 'add', [3], -100, 0],
    ['ignores ids that the rubric does not have', 'add', [3, 99], 0, 6],
  ] as const)('the points are right for a selection %s', (_, mode, itemIds, adjustment, expected) => {
    expect(points(rubric({ mode }), [...itemIds], adjustment)).toBe(expected);
  });

  test('the minimum points apply before the adjustment, and a minimum of 0 applies after it', () => {
    const given = rubric({ mode: 'subtract', minPoints: toPoints(2) });
    expect(points(given, [3, 4])).toBe(2);
    expect(points(given, [3, 4], -0.5)).toBe(1.5);
    expect(points(given, [3, 4], -3)).toBe(0);
  });

  test('the points of the largest rubric are still exact', () => {
    const items = Array.from({ length: 100 }, (_, index) => item(index + 1, 1_000_000));
    const given = rubric({ mode: 'subtract', maxPoints: toPoints(999_999.9999), items });
    expect(points(given, [1], 1_000_000)).toBe(999_999.9999);
    expect(pointsOf({ ...given, mode: 'add' }, select(items.map(({ id }) => id)))).toBe(9_999_999_999);
  });
});

test('the grade of a quiz is its points out of the maximum', () => {
  expect(gradeOf(pointsGrade, rubric(), select([1, 2]))).toEqual({ grade: 0.3, totalGrade: 10 });
});

test.each([
  [0, 1],
  [0.4999, 1],
  [1.5, 2],
  [2.4999, 2],
  [2.5, 3],
  [9.5, 10],
  [10, 10],
])('%s points of homework are the rating %s', (given, rating) => {
  expect(ratingGrade(toPoints(given), toPoints(10))).toEqual({ grade: rating, totalGrade: 10 });
});

test('only one of the items of a group can be selected', () => {
  const { items } = rubric({
    items: [item(1, 1, 'a'), item(2, 1, 'a'), item(3, 1, 'b'), item(4, 1), item(5, 1)],
  });
  expect(conflictIn(items, [1, 3, 4, 5])).toBeUndefined();
  expect(conflictIn(items, [2, 3, 1])).toEqual({ group: 'a', itemIds: [1, 2] });
});
