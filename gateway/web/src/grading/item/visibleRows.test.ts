import { expect, test } from 'vitest';
import { visibleRows } from './visibleRows.ts';

test('the visible rows and some around them are rendered', () => {
  expect(visibleRows({ top: 5000, height: 500 }, 50, 100_000, 5)).toEqual({ start: 95, end: 115 });
});

test('a table outside the viewport renders only the nearest rows', () => {
  expect(visibleRows({ top: -400, height: 600 }, 50, 100_000, 5)).toEqual({ start: 0, end: 9 });
  expect(visibleRows({ top: 90_000, height: 600 }, 50, 20, 5)).toEqual({ start: 20, end: 20 });
});

test('all rows of a short table are rendered', () => {
  expect(visibleRows({ top: 0, height: 600 }, 50, 3)).toEqual({ start: 0, end: 3 });
});
