import { expect, test } from 'vitest';
import { timeText } from './timeText.ts';

const moment = new Date('2026-11-21T21:00:00Z');
// Newer locale data separates the parts with different spaces.
const texts = (schoolZone: string, deviceZone: string, language = 'en', at = moment) => {
  const { school, own } = timeText(at, { language, schoolZone, deviceZone });
  return [school, own].map((text) => text?.replace(/\s/gu, ' '));
};

test("a time is shown in the school's time zone, with its name", () => {
  expect(texts('America/New_York', 'America/New_York')).toEqual(['Nov 21, 2026, 4:00 PM EST', undefined]);
  expect(texts('UTC', 'UTC')).toEqual(['Nov 21, 2026, 9:00 PM UTC', undefined]);
});

test("the device's time is added where it differs, with its date if that differs too", () => {
  expect(texts('America/New_York', 'Europe/London')).toEqual(['Nov 21, 2026, 4:00 PM EST', '9:00 PM']);
  expect(texts('UTC', 'Asia/Tokyo')).toEqual(['Nov 21, 2026, 9:00 PM UTC', 'Nov 22, 2026, 6:00 AM']);
});

test('zones are compared by their offset at that instant, not by name', () => {
  expect(texts('Europe/London', 'UTC')).toEqual(['Nov 21, 2026, 9:00 PM GMT', undefined]);
  expect(texts('Europe/London', 'UTC', 'en', new Date('2026-07-21T21:00:00Z'))).toEqual([
    'Jul 21, 2026, 10:00 PM GMT+1',
    '9:00 PM',
  ]);
});

test('times before and after a clock change use the offset in effect on their day', () => {
  const at = (time: string) => texts('America/New_York', 'America/New_York', 'en', new Date(time))[0];
  expect(at('2026-10-31T21:00:00Z')).toBe('Oct 31, 2026, 5:00 PM EDT');
  expect(at('2026-11-01T21:00:00Z')).toBe('Nov 1, 2026, 4:00 PM EST');
});

test('a proof of submission shows seconds, and an invalid time is shown as a dash', () => {
  const zones = { language: 'en', schoolZone: 'UTC', deviceZone: 'UTC' };
  const { school } = timeText(moment, { ...zones, withSeconds: true });
  expect(school.replace(/\s/gu, ' ')).toBe('Nov 21, 2026, 9:00:00 PM UTC');
  expect(timeText(new Date('soon'), zones)).toEqual({ school: '–', own: undefined });
});
