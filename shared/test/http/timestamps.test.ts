import { describe, expect, test } from 'vitest';
import { createClock, formatUtc } from '../../src/http/timestamps.ts';

const utc = createClock('UTC');
const vienna = createClock('Europe/Vienna');
const kathmandu = createClock('Asia/Kathmandu');

describe('formatting', () => {
  const noon = new Date('2026-07-04T12:05:09.800Z');

  test("a formatted time is in the application's time zone, without fractions of a second (D1)", () => {
    expect(utc.format(noon)).toBe('2026-07-04 12:05:09');
    expect(vienna.format(noon)).toBe('2026-07-04 14:05:09');
    expect(kathmandu.format(noon)).toBe('2026-07-04 17:50:09');
  });

  test('a time for graders is in UTC, without fractions of a second', () => {
    expect(formatUtc(noon)).toBe('2026-07-04T12:05:09Z');
  });

  test.each([
    ['2026-07-04T12:05:00Z', '04/07/2026 12:05 PM'],
    ['2026-07-04T00:00:00Z', '04/07/2026 12:00 AM'],
    ['2026-07-04T13:30:00Z', '04/07/2026 01:30 PM'],
    ['2026-12-31T23:59:59Z', '31/12/2026 11:59 PM'],
  ])('%s is written as the deadline %s', (time, text) => {
    expect(utc.formatDeadline(new Date(time))).toBe(text);
  });
});

describe('parsing', () => {
  test("a time without an offset is parsed in the application's time zone", () => {
    expect(vienna.parse('2026-07-04T14:05:09')?.toISOString()).toBe('2026-07-04T12:05:09.000Z');
  });

  test('a time is parsed with its offset or Z (D40)', () => {
    expect(vienna.parse('2026-07-04T12:05:09Z')?.toISOString()).toBe('2026-07-04T12:05:09.000Z');
    expect(vienna.parse('2026-07-04T12:05:09-03:30')?.toISOString()).toBe('2026-07-04T15:35:09.000Z');
  });

  test('a local time that daylight saving skips is moved forward (D40)', () => {
    expect(vienna.parse('2026-03-29T02:30:00')?.toISOString()).toBe('2026-03-29T01:30:00.000Z');
  });

  test('a local time that occurs twice is the earlier one (D40)', () => {
    expect(vienna.parse('2026-10-25T02:30:00')?.toISOString()).toBe('2026-10-25T00:30:00.000Z');
  });

  test.each([
    '2026-07-04',
    '2026-07-04 12:05:09',
    '2026-07-04T12:05',
    '2026-7-4T12:05:09',
    '0000-01-01T00:00:00',
    '2026-02-30T12:05:09',
    '2026-13-01T12:05:09',
    '2026-07-04T25:05:09',
    '2026-07-04T12:05:09.5',
    '2026-07-04T12:05:09+1',
    '2026-07-04T12:05:09Z ',
    '+002026-07-04T12:05:09',
    'yesterday',
    '',
  ])('the time %j is rejected', (text) => {
    expect(utc.parse(text)).toBeUndefined();
  });
});
