import { describe, expect, test } from 'vitest';
import {
  isRetired,
  isSpent,
  isSuccessorDue,
  signingKeyAt,
  successorSignsFrom,
} from '../src/tokens/keyRotationSchedule.ts';

const minute = 60_000;
const day = 86_400_000;
const now = Date.parse('2026-06-01T12:00:00Z');
const from = (ms: number) => ({ signsFrom: new Date(now + ms) });

describe('the signing key', () => {
  test('the signing key is the latest one whose start has passed', () => {
    const [old, current, pending] = [from(-day), from(0), from(10 * minute)];
    expect(signingKeyAt([pending, old, current], now)).toBe(current);
    expect(signingKeyAt([old, pending], now)).toBe(old);
  });

  test('no key signs before the first one starts', () => {
    expect(signingKeyAt([from(1)], now)).toBeUndefined();
  });
});

describe('a successor', () => {
  test('a successor is due when there is no key or the current one has reached its maximum age', () => {
    expect(isSuccessorDue([], now, 90 * day)).toBe(true);
    expect(isSuccessorDue([from(-90 * day)], now, 90 * day)).toBe(true);
    expect(isSuccessorDue([from(-90 * day + 1)], now, 90 * day)).toBe(false);
  });

  test('a successor is due and signs immediately when no key signs, even if one is pending', () => {
    expect(isSuccessorDue([from(10 * minute)], now, 90 * day)).toBe(true);
    expect(successorSignsFrom([from(10 * minute)], now)).toEqual(new Date(now));
    expect(successorSignsFrom([], now)).toEqual(new Date(now));
  });

  test('a successor signs ten minutes after its publication', () => {
    expect(successorSignsFrom([from(-day)], now)).toEqual(new Date(now + 10 * minute));
  });

  test('no successor is due while one is pending', () => {
    expect(isSuccessorDue([from(-100 * day), from(10 * minute)], now, minute)).toBe(false);
  });
});

describe('an old key', () => {
  test('a key is retired ten minutes after its successor has started', () => {
    const old = from(-90 * day);
    expect(isRetired(old, [old, from(-9 * minute)], now)).toBe(false);
    expect(isRetired(old, [old, from(-10 * minute)], now)).toBe(true);
  });

  test('a key is spent once its last token can no longer be refreshed (D11)', () => {
    const old = from(-90 * day);
    const life = 14 * day;
    expect(isSpent(old, [old, from(-life)], now, life)).toBe(false);
    expect(isSpent(old, [old, from(-life - 10 * minute)], now, life)).toBe(true);
  });

  test('a key without a successor is neither retired nor spent', () => {
    const only = from(-1_000 * day);
    expect(isRetired(only, [only], now)).toBe(false);
    expect(isSpent(only, [only], now, day)).toBe(false);
  });
});
