import { expect, test } from 'vitest';
import { fieldTimeOf, momentOf, utcTimeOf } from './moment.ts';

const newYork = 'America/New_York';
const cairo = 'Africa/Cairo';

test.each([
  ['2026-11-21 17:42:10', newYork, '2026-11-21T22:42:10.000Z'],
  ['2026-11-21 17:42:10', cairo, '2026-11-21T15:42:10.000Z'],
  ['2026-07-21 17:42:10', cairo, '2026-07-21T14:42:10.000Z'],
  ['01/12/2026 06:00 PM', 'UTC', '2026-12-01T18:00:00.000Z'],
  ['01/12/2026 12:05 AM', 'UTC', '2026-12-01T00:05:00.000Z'],
  ['01/12/2026 12:05 PM', newYork, '2026-12-01T17:05:00.000Z'],
  ['2026-12-01T18:00', cairo, '2026-12-01T16:00:00.000Z'],
  ['2026-12-01T18:00:00Z', newYork, '2026-12-01T18:00:00.000Z'],
  ['2026-12-01T18:00:00+02:00', newYork, '2026-12-01T16:00:00.000Z'],
  // Clocks go forward from 2:00 to 3:00 on 8 March, and back from 2:00 to 1:00 on 1 November.
  ['2026-03-08 02:30:00', newYork, '2026-03-08T07:30:00.000Z'],
  ['2026-11-01 01:30:00', newYork, '2026-11-01T05:30:00.000Z'],
  ['2026-11-01 02:30:00', newYork, '2026-11-01T07:30:00.000Z'],
])('%s in %s is the moment %s', (text, zone, moment) => {
  expect(momentOf(text, zone).toISOString()).toBe(moment);
});

test.each(['soon', '', '31/02/2026', '2026-02-28 10:00:00x'])('%j is not a time', (text) => {
  expect(momentOf(text, 'UTC').getTime()).toBeNaN();
});

test.each([newYork, cairo, 'UTC', 'Asia/Kathmandu'])(
  'a time field in %s preserves an instant to the minute',
  (zone) => {
    for (const time of ['2026-03-07T19:05:00Z', '2026-07-01T00:30:00Z', '2026-10-31T23:59:00Z'])
      expect(utcTimeOf(fieldTimeOf(new Date(time), zone), zone)).toBe(time);
  },
);

test("a time field shows the school's time", () => {
  expect(fieldTimeOf(new Date('2026-12-01T18:00:59Z'), newYork)).toBe('2026-12-01T13:00');
});
