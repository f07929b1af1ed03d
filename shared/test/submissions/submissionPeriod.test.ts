import { describe, expect, test } from 'vitest';
import { periodAt } from '../../src/submissions/submissionPeriod.ts';

const at = (time: string) => new Date(`2026-03-01T${time}Z`);
const opensAt = at('10:00:00.000');
const closesAt = at('11:00:00.000');
const now = at('10:30:00.000');
const both = { opensAt, closesAt };
const opens = { opensAt, closesAt: null };
const closes = { opensAt: null, closesAt };
const always = { opensAt: null, closesAt: null };

describe('a period', () => {
  test.each([
    ['without limits is open for good', always, now, 'open', null],
    ['before its opening is upcoming', both, at('09:59:00.000'), 'upcoming', 60],
    [
      'a millisecond before its opening is upcoming for another second',
      both,
      at('09:59:59.999'),
      'upcoming',
      1,
    ],
    ['at its opening is open', both, opensAt, 'open', 3_601],
    ['between the two is open', both, at('10:59:00.500'), 'open', 60],
    ['at its closing is still open', both, closesAt, 'open', 1],
    ['a millisecond after its closing is closed for good', both, at('11:00:00.001'), 'closed', null],
    ['that only opens is upcoming until then', opens, at('09:00:00.000'), 'upcoming', 3_600],
    ['that has opened and never closes is open for good', opens, now, 'open', null],
    ['that only closes is open until then', closes, at('10:59:30.000'), 'open', 31],
    ['that only closes is closed afterwards', closes, at('12:00:00.000'), 'closed', null],
    ['that is open tomorrow is counted in real seconds', both, at('00:00:00.000'), 'upcoming', 36_000],
    // An attempt has no duration, or the closing time precedes the opening time: the item is never shown early.
    [
      'that closes before it opens is upcoming until it is closed',
      { opensAt: closesAt, closesAt: opensAt },
      now,
      'upcoming',
      1_800,
    ],
  ] as const)('%s', (_, period, time, state, secondsUntil) => {
    expect(periodAt(period, time)).toEqual({ state, secondsUntil });
  });

  test.each([both, opens, closes])(
    'a period changes its state exactly when its remaining seconds have passed',
    (period) => {
      for (const start of ['09:30:00.000', '09:59:59.250', '10:00:00.000', '10:59:59.999', '11:00:00.000']) {
        const { state, secondsUntil } = periodAt(period, at(start));
        if (secondsUntil === null) continue;
        const later = (seconds: number) =>
          periodAt(period, new Date(at(start).getTime() + seconds * 1_000)).state;
        expect(later(secondsUntil)).not.toBe(state);
        expect(later(secondsUntil - 1)).toBe(state);
      }
    },
  );
});
