import { expect, test } from 'vitest';
import type { Homework, Quiz } from '../records/studentTypes.ts';
import { isPagesWindowOpen } from './pagesWindow.ts';

const quiz = (fields: Partial<Quiz>) =>
  ({ state: 'closed', closes_at: null, started_at: null, duration_minutes: null, ...fields }) as Quiz;
const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
const closed = { closes_at: '2026-11-21T12:00:00Z' };

test('pages are requested while work is open, and for 15 minutes after it has closed', () => {
  expect(isPagesWindowOpen(quiz({ ...closed, state: 'open' }), at('11:00:00'))).toBe(true);
  expect(isPagesWindowOpen(quiz(closed), at('12:14:59'))).toBe(true);
  expect(isPagesWindowOpen(quiz(closed), at('12:15:00'))).toBe(false);
  const homework = { state: 'closed', assignment_deadline: '2026-11-21T12:00:00Z' } as Homework;
  expect(isPagesWindowOpen(homework, at('12:14:59'))).toBe(true);
  expect(isPagesWindowOpen(homework, at('12:15:00'))).toBe(false);
});

test('pages are requested until 15 minutes after an attempt has ended, even if the work closes later', () => {
  const attempt = { ...closed, started_at: '2026-11-21T11:00:00Z', duration_minutes: 30 };
  expect(isPagesWindowOpen(quiz(attempt), at('11:44:59'))).toBe(true);
  expect(isPagesWindowOpen(quiz(attempt), at('11:45:00'))).toBe(false);
});

test('pages are not requested before work opens, or once it is closed if its end or the time is unknown', () => {
  expect(isPagesWindowOpen(quiz({}), at('12:00:00'))).toBe(false);
  expect(isPagesWindowOpen(quiz(closed), undefined)).toBe(false);
  expect(isPagesWindowOpen(quiz({ ...closed, state: 'upcoming' }), at('11:00:00'))).toBe(false);
});
