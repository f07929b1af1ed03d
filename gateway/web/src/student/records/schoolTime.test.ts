import { expect, test } from 'vitest';
import { formatSchoolTime, readSchoolTime } from './schoolTime.ts';

test('both ways in which the interface writes a time are read', () => {
  expect(readSchoolTime('2026-11-21 17:42:10').toISOString()).toBe('2026-11-21T17:42:10.000Z');
  expect(readSchoolTime('01/12/2026 06:00 PM').toISOString()).toBe('2026-12-01T18:00:00.000Z');
});

test('midnight and noon of the twelve-hour clock are distinguished', () => {
  expect(readSchoolTime('01/12/2026 12:05 AM').getUTCHours()).toBe(0);
  expect(readSchoolTime('01/12/2026 12:05 PM').getUTCHours()).toBe(12);
});

test("a time is shown as the school's clock has it, wherever the device is", () => {
  expect(formatSchoolTime(readSchoolTime('2026-11-21 17:42:10'), 'en')).toContain('5:42');
});

test('an invalid time is shown as a dash', () => {
  expect(formatSchoolTime(readSchoolTime('soon'), 'en')).toBe('–');
});
