import { expect, test } from 'vitest';
import type { LateRule } from '../../src/items/item.ts';
import { assessLateness } from '../../src/items/lateness.ts';

const closesAt = new Date('2026-11-02T10:00:00Z');
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const rule: LateRule = {
  until: '2026-12-31T00:00:00Z',
  graceMinutes: 0,
  penaltyPercent: 10,
  per: 'day',
  floorPercent: 0,
};
const assess = (lateMs: number, changes: Partial<LateRule> = {}, grade: number | null = 10) =>
  assessLateness({
    submittedAt: new Date(closesAt.getTime() + lateMs),
    closesAt,
    late: { ...rule, ...changes },
    isWaived: false,
    grade,
  });

type Case = [
  name: string,
  lateMs: number,
  rule: Partial<LateRule>,
  grade: number,
  expected: [number, number, number, number] | null,
];

// minutes, penalty in percent, points, final grade
const cases: Case[] = [
  ['exactly at the closing time', 0, {}, 10, null],
  ['a millisecond after it', 1, {}, 10, [1, 10, 1, 9]],
  ['one day', day, {}, 10, [1440, 10, 1, 9]],
  ['a second day that has begun', day + 1, {}, 10, [1441, 20, 2, 8]],
  ['once, however late', 9 * day, { per: 'once' }, 10, [12_960, 10, 1, 9]],
  ['each begun hour', 2 * hour + minute, { per: 'hour' }, 10, [121, 30, 3, 7]],
  ['exactly at the end of the grace period', 15 * minute, { graceMinutes: 15 }, 10, null],
  [
    'beyond the grace period, minutes count from the closing time',
    16 * minute,
    { graceMinutes: 15 },
    10,
    [16, 10, 1, 9],
  ],
  ['at most everything', 30 * day, {}, 10, [43_200, 100, 10, 0]],
  ['never below the floor', 30 * day, { floorPercent: 40 }, 10, [43_200, 100, 6, 4]],
  ['half up to four decimals', 1, { penaltyPercent: 50 }, 0.0001, [1, 50, 0, 0.0001]],
  ['two decimals of a percent', 1, { penaltyPercent: 33.33 }, 7, [1, 33.33, 2.3331, 4.6669]],
  ['the largest grade', 1, { penaltyPercent: 0.01 }, 999_999.9999, [1, 0.01, 100, 999_899.9999]],
];

test.each(cases)('lateness: %s', (_, lateMs, changes, grade, expected) => {
  const [minutes, penaltyPercent, points, finalGrade] = expected ?? [];
  expect(assess(lateMs, changes, grade)).toEqual(
    expected ? { late: { minutes, penaltyPercent, points }, finalGrade } : { late: null, finalGrade: grade },
  );
});

test('ungraded late work has minutes and a penalty, but no points and no final grade', () => {
  expect(assess(day, {}, null)).toEqual({
    late: { minutes: 1440, penaltyPercent: 10, points: null },
    finalGrade: null,
  });
});

test('a waived penalty, a missing rule and a missing closing time leave the grade unchanged', () => {
  const work = {
    submittedAt: new Date(closesAt.getTime() + day),
    closesAt,
    late: rule,
    isWaived: false,
    grade: 8,
  };
  for (const changes of [{ isWaived: true }, { late: null }, { closesAt: null }])
    expect(assessLateness({ ...work, ...changes })).toEqual({ late: null, finalGrade: 8 });
});
