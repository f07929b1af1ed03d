import { expect, test } from 'vitest';
import { requireWithinDeadline } from '../src/domain/deadline.ts';

const deadline = new Date('2026-03-01T10:00:00Z');

test('an upload received exactly at the deadline is accepted', () => {
  expect(() => requireWithinDeadline(deadline, deadline)).not.toThrow();
});

test('an upload received a millisecond later is refused', () => {
  expect(() => requireWithinDeadline(new Date(deadline.getTime() + 1), deadline)).toThrow(
    expect.objectContaining({ code: 'forbidden', message: 'HomeworkDeadlineExpired' }),
  );
});

test('an upload is never late without a deadline', () => {
  expect(() => requireWithinDeadline(new Date('2999-01-01T00:00:00Z'), null)).not.toThrow();
});
