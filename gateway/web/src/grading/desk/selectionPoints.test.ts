import { expect, test } from 'vitest';
import type { Rubric } from '../queue/gradingTypes.ts';
import { ratingOf, selectionPoints, toggled } from './selectionPoints.ts';

const item = (id: number, points: number, group: string | null = null) => ({
  id,
  points,
  text: `item ${id}`,
  explanation: null,
  group,
  key: null,
  uses: 0,
});

const rubric = (mode: 'add' | 'subtract', items: Rubric['items'], min_points = 0): Rubric => ({
  revision: 1,
  mode,
  max_points: 10,
  min_points,
  items,
});

test('adding starts at 0, subtracting at the maximum', () => {
  const items = [item(1, 6), item(2, 3)];
  expect(selectionPoints(rubric('add', items), [1], 0)).toBe(6);
  expect(selectionPoints(rubric('subtract', items), [1], 0)).toBe(4);
  expect(selectionPoints(rubric('subtract', items), [], 0)).toBe(10);
});

test('decimals are exact', () => {
  expect(selectionPoints(rubric('add', [item(1, 0.1), item(2, 0.2)]), [1, 2], 0)).toBe(0.3);
});

test('the rubric limits the items, then 0 and the maximum limit the adjusted sum', () => {
  const items = [item(1, 9), item(2, 9)];
  expect(selectionPoints(rubric('subtract', items, 2), [1, 2], 0)).toBe(2);
  expect(selectionPoints(rubric('subtract', items, 2), [1, 2], -5)).toBe(0);
  expect(selectionPoints(rubric('add', items), [1, 2], -1)).toBe(9);
  expect(selectionPoints(rubric('add', items), [1, 2], 3)).toBe(10);
});

test('homework points are rounded half up to a rating', () => {
  expect([0, 4.5, 4.4999, 10].map(ratingOf)).toEqual([1, 5, 4, 10]);
});

test('at most one item of a group is selected', () => {
  const grouped = rubric('add', [item(1, 1, 'proof'), item(2, 2, 'proof'), item(3, 3)]);
  expect(toggled(grouped, [1, 3], 2)).toEqual([2, 3]);
  expect(toggled(grouped, [2, 3], 2)).toEqual([3]);
});

test('a selection has the order of the rubric', () => {
  expect(toggled(rubric('add', [item(1, 1), item(2, 1)]), [2], 1)).toEqual([1, 2]);
});
