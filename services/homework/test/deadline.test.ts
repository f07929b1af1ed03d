import { expect, test } from 'vitest';
import { requireInTime } from '../src/domain/deadline.ts';

const deadline = new Date('2026-03-01T10:00:00Z');

test('what is received at the very deadline is in time', () => {
  expect(() => requireInTime(deadline, deadline)).not.toThrow();
});

test('what is received a millisecond later is refused', () => {
  expect(() => requireInTime(new Date(deadline.getTime() + 1), deadline)).toThrow(
    expect.objectContaining({ code: 'forbidden', message: 'HomeworkDeadlineExpired' }),
  );
});

test('without a deadline nothing is late', () => {
  expect(() => requireInTime(new Date('2999-01-01T00:00:00Z'), null)).not.toThrow();
});
