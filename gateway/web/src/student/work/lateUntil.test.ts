import { expect, test } from 'vitest';
import { lateUntil } from './lateUntil.ts';

const closesAt = new Date('2026-11-21T09:00:00Z');
const answeredAt = new Date('2026-11-21T10:00:01Z');

test("late work is accepted until the server's closing time for it", () => {
  const until = new Date('2026-11-21T11:00:00Z');
  expect(lateUntil({ state: 'open', secondsUntil: 3_598 }, closesAt, answeredAt)).toEqual(until);
  // It is also known before the closing time.
  const earlier = new Date('2026-11-21T08:00:00Z');
  expect(lateUntil({ state: 'open', secondsUntil: 10_800 }, closesAt, earlier)).toEqual(until);
});

test('work that closes at its closing time accepts no late work', () => {
  const earlier = new Date('2026-11-21T08:59:01Z');
  expect(lateUntil({ state: 'open', secondsUntil: 60 }, closesAt, earlier)).toBeNull();
  expect(lateUntil({ state: 'open', secondsUntil: null }, null, earlier)).toBeNull();
  expect(lateUntil({ state: 'closed', secondsUntil: null }, closesAt, answeredAt)).toBeNull();
});
