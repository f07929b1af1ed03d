import { expect, test } from 'vitest';
import { sortRows } from './sortRows.ts';

test('numbers within texts are sorted by value', () => {
  const titles = ['Quiz 10', 'Quiz 9', 'quiz 1'];
  expect(sortRows(titles, (title) => title, 'ascending')).toEqual(['quiz 1', 'Quiz 9', 'Quiz 10']);
});

test('equal rows keep their order in both directions', () => {
  const rows = [
    [1, 'a'],
    [2, 'b'],
    [1, 'c'],
  ] as const;
  const names = (order: 'ascending' | 'descending') =>
    sortRows([...rows], ([value]) => value, order).map(([, name]) => name);
  expect(names('ascending')).toEqual(['a', 'c', 'b']);
  expect(names('descending')).toEqual(['b', 'a', 'c']);
});
