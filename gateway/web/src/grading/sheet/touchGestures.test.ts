import { expect, test } from 'vitest';
import { draws, middle, scrollAfter, spread } from './touchGestures.ts';

test('a finger draws until a pen has been used', () => {
  expect(draws('touch', 'pen', false)).toBe(true);
  expect(draws('touch', 'pen', true)).toBe(false);
  expect(draws('pen', 'pen', true)).toBe(true);
  expect(draws('mouse', 'highlight', true)).toBe(true);
});

test('dragging draws nothing without a tool or with a tool that needs a tap', () => {
  expect(draws('pen', undefined, true)).toBe(false);
  expect(draws('touch', 'check', false)).toBe(false);
});

test('moving the fingers apart enlarges the page', () => {
  const before = [
    [100, 100],
    [200, 100],
  ] as const;
  const now = [
    [50, 100],
    [250, 100],
  ] as const;
  expect(spread(before, now)).toBe(2);
  expect(spread(now, before)).toBe(0.5);
  expect(middle(now)).toEqual([150, 100]);
});

test('the point under the fingers stays in place', () => {
  // Point 300 of the contents is under the fingers. At twice the scale it is at 600.
  expect(scrollAfter([200, 0], [100, 0], [120, 0], 2)).toEqual([480, 0]);
});
