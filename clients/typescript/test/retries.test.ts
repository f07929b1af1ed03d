import { expect, test } from 'vitest';
import { GradewayError } from '../src/http/gradewayError.ts';
import { delayBefore, isIdempotent, isTemporary } from '../src/http/retries.ts';

test.each([0, 0.99])('the delay doubles up to a limit, and is at random at most twice as short', (random) => {
  const delays = [0, 1, 2, 10].map((attempt) => delayBefore(attempt, null, { random }) ?? 0);
  for (const [index, full] of [300, 600, 1_200, 8_000].entries()) {
    expect(delays[index]).toBeLessThanOrEqual(full);
    expect(delays[index]).toBeGreaterThanOrEqual(full / 2);
  }
});

test('the server decides how long to wait, in seconds or as a date', () => {
  const now = Date.parse('2026-12-01T08:00:00Z');
  expect(delayBefore(0, '7', { now })).toBe(7_000);
  expect(delayBefore(0, 'Tue, 01 Dec 2026 08:00:05 GMT', { now })).toBe(5_000);
  expect(delayBefore(0, 'Tue, 01 Dec 2026 07:00:00 GMT', { now, random: 0 })).toBe(150);
  expect(delayBefore(0, 'nonsense', { now, random: 0 })).toBe(150);
});

test('a wait of more than a minute is left to the caller', () => {
  expect(delayBefore(0, '61')).toBeUndefined();
});

test.each(['GET', 'HEAD', 'PUT', 'DELETE'])('%s may be repeated', (method) => {
  expect(isIdempotent(method, new Headers())).toBe(true);
});

test.each(['POST', 'PATCH'])('%s may be repeated only with a key', (method) => {
  expect(isIdempotent(method, new Headers())).toBe(false);
  expect(isIdempotent(method, new Headers({ 'Idempotency-Key': 'key' }))).toBe(true);
});

test.each([
  [503, 'http_503', true],
  [429, 'http_429', true],
  [0, 'unreachable', true],
  [0, 'timeout', false],
  [500, 'http_500', false],
  [409, 'http_409', false],
])('whether status %i with the code %s is temporary: %j', (status, code, expected) => {
  expect(isTemporary(new GradewayError('message', { status, code }))).toBe(expected);
});
