import { expect, test } from 'vitest';
import type { LateRule } from '../../src/items/item.ts';
import { type Allowance, type ItemTimes, personalTimes } from '../../src/items/personalTimes.ts';

const at = (text: string) => new Date(`2026-11-${text}:00Z`);
const late = { graceMinutes: 0, penaltyPercent: 10, per: 'day', floorPercent: 0 } as const;
const lateUntil = (text: string): LateRule => ({ ...late, until: at(text).toISOString() });
const item: ItemTimes = {
  opensAt: at('02T08:00'),
  closesAt: at('02T10:00'),
  durationMinutes: 45,
  late: null,
};
const open: ItemTimes = { ...item, closesAt: null };

type Case = [
  name: string,
  item: ItemTimes,
  allowance: Partial<Allowance> | null,
  timeFactor: number,
  expected: { closesAt?: Date | null; durationMinutes?: number | null; acceptedUntil?: Date | null },
];

const cases: Case[] = [
  ['nothing is allowed', item, null, 1, { closesAt: at('02T10:00'), durationMinutes: 45 }],
  ['a later closing time', item, { closesAt: at('03T10:00') }, 1, { closesAt: at('03T10:00') }],
  [
    'an earlier closing time has no effect',
    item,
    { closesAt: at('01T10:00') },
    1,
    { closesAt: at('02T10:00') },
  ],
  [
    'no closing time remains unset',
    open,
    { closesAt: at('03T10:00') },
    1,
    { closesAt: null, acceptedUntil: null },
  ],
  ['extra minutes extend an attempt', item, { extraMinutes: 15 }, 1, { durationMinutes: 60 }],
  ['extra minutes do not move the closing time', item, { extraMinutes: 15 }, 1, { closesAt: at('02T10:00') }],
  ['a factor extends an attempt', item, null, 1.5, { durationMinutes: 68 }],
  ['factor and minutes add up', item, { extraMinutes: 10 }, 1.25, { durationMinutes: 67 }],
  ['a factor is exact', { ...item, durationMinutes: 100 }, null, 1.1, { durationMinutes: 110 }],
  ['a fraction of a minute is kept', { ...item, durationMinutes: 0.5 }, null, 1, { durationMinutes: 0.5 }],
  [
    'an extended fraction is rounded up',
    { ...item, durationMinutes: 0.5 },
    null,
    1.5,
    { durationMinutes: 1 },
  ],
  [
    'no duration remains unset',
    { ...item, durationMinutes: null },
    { extraMinutes: 9 },
    2,
    { durationMinutes: null },
  ],
  [
    'late work is accepted',
    { ...item, late: lateUntil('04T10:00') },
    null,
    1,
    { acceptedUntil: at('04T10:00') },
  ],
  [
    'an allowance beyond it applies',
    { ...item, late: lateUntil('04T10:00') },
    { closesAt: at('05T10:00') },
    1,
    {
      closesAt: at('05T10:00'),
      acceptedUntil: at('05T10:00'),
    },
  ],
  [
    'an allowance before it does not move it',
    { ...item, late: lateUntil('04T10:00') },
    { closesAt: at('03T10:00') },
    1,
    {
      closesAt: at('03T10:00'),
      acceptedUntil: at('04T10:00'),
    },
  ],
  [
    'an excuse changes no time',
    item,
    { excused: true },
    1,
    { closesAt: at('02T10:00'), acceptedUntil: at('02T10:00') },
  ],
];

test.each(cases)('times of one student: %s', (_, times, allowance, timeFactor, expected) => {
  const given = allowance && { closesAt: null, extraMinutes: 0, excused: false, ...allowance };
  expect(personalTimes(times, given, timeFactor)).toMatchObject({ opensAt: times.opensAt, ...expected });
});
