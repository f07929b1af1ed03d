import { administratorsSettings } from '@gradeway/shared/items/item';
import { requireConsistent } from '@gradeway/shared/items/requireConsistent';
import { expect, test } from 'vitest';

const at = (hour: number) => new Date(Date.UTC(2026, 10, 28, hour));
const settings = { ...administratorsSettings, opensAt: at(8), closesAt: at(10) };
const lateUntil = (hour: number) => ({
  ...{ until: at(hour).toISOString(), graceMinutes: 60, penaltyPercent: 1 },
  ...{ per: 'once' as const, floorPercent: 0 },
});

const errorsOf = (changes: object): string[] => {
  try {
    requireConsistent({ ...settings, ...changes });
    return [];
  } catch (error) {
    return Object.keys((error as { fields: object }).fields);
  }
};

test('an item closes after it opens', () => {
  expect(errorsOf({ closesAt: at(9) })).toEqual([]);
  for (const closesAt of [at(8), at(7)]) expect(errorsOf({ closesAt })).toEqual(['closes_at']);
});

test('late work needs a closing time, and its end must be after the grace period', () => {
  expect(errorsOf({ late: lateUntil(12) })).toEqual([]);
  expect(errorsOf({ late: lateUntil(11) })).toEqual(['late']);
  expect(errorsOf({ late: lateUntil(12), closesAt: null })).toEqual(['late']);
});

test('only a manual release can have a time and anonymous grading', () => {
  expect(errorsOf({ release: 'manual', releaseAt: at(12), anonymous: true })).toEqual([]);
  expect(errorsOf({ releaseAt: at(12) })).toEqual(['release_at']);
  expect(errorsOf({ anonymous: true })).toEqual(['anonymous']);
});
