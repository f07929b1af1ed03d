import { expect, test } from 'vitest';
import { afterAttempt, announcedQuarter, backOff, canResume } from './afterAttempt.ts';

const answered = (status: number, retryAfterSeconds: number | null = null) =>
  ({ answered: true, status, message: 'Submission already graded', retryAfterSeconds }) as const;

test('an attempt without a response is repeated at growing intervals', () => {
  expect([0, 1, 2, 3, 4, 5, 20].map(backOff)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(afterAttempt({ answered: false }, 2)).toEqual({ do: 'wait', ms: 4_000, because: 'connection' });
});

test('a busy service gets the delay that it requests', () => {
  expect(afterAttempt(answered(429, 12), 0)).toEqual({ do: 'wait', ms: 12_000, because: 'busy' });
  expect(afterAttempt(answered(503, 1), 3)).toEqual({ do: 'wait', ms: 8_000, because: 'busy' });
  expect(afterAttempt(answered(504), 0)).toMatchObject({ do: 'wait' });
});

test('a rejected token is renewed', () => {
  expect(afterAttempt(answered(401), 0)).toEqual({ do: 'renew token' });
});

test('a definitive response is shown and the request is not repeated', () => {
  for (const status of [400, 403, 404, 409, 413, 415, 422])
    expect(afterAttempt(answered(status), 0)).toEqual({
      do: 'give up',
      message: 'Submission already graded',
    });
  expect(afterAttempt(answered(200), 0)).toEqual({ do: 'finish' });
  expect(afterAttempt(answered(201), 0)).toEqual({ do: 'finish' });
});

test('an upload can be resumed while the services remember its key', () => {
  const now = 1_700_000_000_000;
  expect(canResume({ createdAt: now - 3_600_000 }, now)).toBe(true);
  expect(canResume({ createdAt: now - 24 * 3_600_000 }, now)).toBe(false);
  expect(canResume({ createdAt: now + 7_200_000 }, now)).toBe(false);
});

test('progress is announced at each quarter', () => {
  expect([0, 24, 25, 60, 99, 100].map((sent) => announcedQuarter(sent, 100))).toEqual([
    0, 0, 25, 50, 75, 100,
  ]);
  expect(announcedQuarter(0, 0)).toBe(0);
});
