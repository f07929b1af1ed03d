import { expect, test } from 'vitest';
import type { LateRule } from '../records/studentTypes.ts';
import { lateWindow } from './lateWindow.ts';

const rule: LateRule = {
  until: '2026-11-21T11:00:00Z',
  grace_minutes: 0,
  penalty_percent: 10,
  per: 'day',
  floor_percent: 0,
};
const closesAt = new Date('2026-11-21T09:00:00Z');
const at = (time: string) => new Date(`2026-11-21T${time}Z`);

test('before the closing time, work counts down to it', () => {
  const open = { state: 'open', secondsUntil: 10_800 } as const;
  expect(lateWindow(open, rule, closesAt, at('08:00:00'))).toEqual({ isLate: false, secondsUntil: 3_600 });
  // A student's attempt at a quiz may end earlier.
  const attempt = { state: 'open', secondsUntil: 60 } as const;
  expect(lateWindow(attempt, rule, closesAt, at('08:00:00'))).toEqual({ isLate: false, secondsUntil: 60 });
});

test('from the closing time, work is late and counts down to the end of late work', () => {
  const open = { state: 'open', secondsUntil: 7_200 } as const;
  expect(lateWindow(open, rule, closesAt, at('09:00:00'))).toEqual({ isLate: true, secondsUntil: 7_200 });
});

test('without a rule for late work, and while work is not open, nothing changes', () => {
  const open = { state: 'open', secondsUntil: 7_200 } as const;
  expect(lateWindow(open, null, closesAt, at('08:00:00'))).toEqual({ isLate: false, secondsUntil: 7_200 });
  const closed = { state: 'closed', secondsUntil: null } as const;
  expect(lateWindow(closed, rule, closesAt, at('12:00:00'))).toEqual({ isLate: false, secondsUntil: null });
});
