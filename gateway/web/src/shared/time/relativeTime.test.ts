import { expect, test } from 'vitest';
import { relativeTime } from './relativeTime.ts';

const now = Date.parse('2026-11-28T21:30:00Z');
const at = (time: string, language = 'en', timeZone = 'UTC') =>
  relativeTime(Date.parse(time), now, language, timeZone);

test.each([
  ['2026-11-28T21:30:59Z', 'now'],
  ['2026-11-28T21:29:10Z', 'now'],
  ['2026-11-28T22:29:59Z', 'in 59 minutes'],
  ['2026-11-29T01:29:00Z', 'in 3 hours'],
  ['2026-11-28T19:29:00Z', '2 hours ago'],
  ['2026-11-29T21:30:00Z', 'tomorrow'],
  ['2026-11-26T22:00:00Z', '2 days ago'],
  ['2026-12-30T21:30:00Z', 'in 32 days'],
  ['2027-03-01T00:00:00Z', 'in 3 months'],
  ['2024-10-01T00:00:00Z', '2 years ago'],
])('%s is %s', (time, text) => {
  expect(at(time)).toBe(text);
});

test("days are the school's", () => {
  // In Cairo it is 23:30 on 28 November, and 26 hours later it is already the 30th.
  expect(at('2026-11-29T23:30:00Z', 'en', 'Africa/Cairo')).toBe('in 2 days');
  expect(at('2026-11-29T23:30:00Z', 'en', 'America/New_York')).toBe('tomorrow');
});

test('a relative time is in the language of the page', () => {
  expect(at('2026-11-30T12:00:00Z', 'ar')).toBe('بعد الغد');
  expect(at('2026-11-28T21:32:30Z', 'ar')).toContain('دقيقتين');
});
