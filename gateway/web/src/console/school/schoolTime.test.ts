import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { fieldTimeOf, formatSchoolTime, utcTimeOf } from './schoolTime.ts';

test('a time of the school is shown as it is written', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  expect(formatSchoolTime('2026-11-21 23:15:00')).toMatch(/Nov 21, 2026.*11:15/);
});

test('a field keeps the moment of a time to the minute', () => {
  expect(utcTimeOf(fieldTimeOf('2026-11-21T19:05:00Z'))).toBe('2026-11-21T19:05:00Z');
  expect(fieldTimeOf('2026-07-01T00:30:59Z')).toMatch(/^2026-0[67]-\d\dT\d\d:30$/);
});
