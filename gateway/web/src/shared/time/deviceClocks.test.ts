import { expect, test } from 'vitest';
import { clocksDisagree } from './deviceClocks.ts';

test('a device that has slept or whose clock was set is detected', () => {
  const before = { steady: 1_000, wall: 1_700_000_000_000 };
  expect(clocksDisagree(before, { steady: 6_000, wall: before.wall + 5_000 })).toBe(false);
  expect(clocksDisagree(before, { steady: 6_000, wall: before.wall + 605_000 })).toBe(true);
  expect(clocksDisagree(before, { steady: 6_000, wall: before.wall - 3_600_000 })).toBe(true);
});
