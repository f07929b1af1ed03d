import { expect, test } from 'vitest';
import { createLocalTime } from '../../src/http/localTime.ts';

// Time zones with half-hour and quarter-hour offsets, half-hour changes, changes a minute after midnight, and old
// offsets with seconds.
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Asia/Kathmandu',
  'Africa/Monrovia',
  'Africa/Casablanca',
  'Pacific/Apia',
];
const [first, last] = [Date.UTC(1960, 0, 1), Date.UTC(2040, 0, 1)];
const step = 37 * 3_600_000 + 1_799_000;

test.each(zones)("times in %s match Intl's, in every season and around every clock change", (timeZone) => {
  const format = createLocalTime(timeZone);
  const intl = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const wrong: string[] = [];
  const compare = (ms: number) => {
    if (format(new Date(ms)) !== intl.format(ms)) wrong.push(new Date(ms).toISOString());
  };
  const offsetAt = (ms: number) => Date.parse(`${intl.format(ms).replace(' ', 'T')}Z`) - ms;
  for (let ms = first; ms < last; ms += step) {
    compare(ms);
    if (offsetAt(ms) === offsetAt(ms + step)) continue;
    for (let within = ms; within < ms + step; within += 419_000) compare(within);
  }
  expect(wrong).toEqual([]);
});

test("times in five-digit years and before year 1 match Intl's", () => {
  const intl = new Intl.DateTimeFormat('sv-SE', { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'medium' });
  for (const time of [new Date(Date.UTC(10_000, 0, 1)), new Date(Date.UTC(1000, 0, 1)), new Date(999)])
    expect(createLocalTime('UTC')(time)).toBe(intl.format(time));
});
