import type { PersonalTimes } from '@gradeway/shared/items/personalTimes';
import { expect, test } from 'vitest';
import { requireWithinDeadline } from '../src/domain/deadline.ts';

const at = (time: string) => new Date(`2026-03-01T${time}Z`);
const deadline = at('10:00:00');
const times = (changes: Partial<PersonalTimes>): PersonalTimes => ({
  ...{ opensAt: null, closesAt: deadline, acceptedUntil: deadline, durationMinutes: null },
  ...changes,
});
const refusedWith = (message: string) => expect.objectContaining({ code: 'forbidden', message });

test('an upload received exactly at the deadline is accepted', () => {
  expect(() => requireWithinDeadline(deadline, times({}))).not.toThrow();
});

test('an upload received a millisecond later is refused', () => {
  expect(() => requireWithinDeadline(new Date(deadline.getTime() + 1), times({}))).toThrow(
    refusedWith('HomeworkDeadlineExpired'),
  );
});

test('an upload without a deadline is never late', () => {
  const open = times({ closesAt: null, acceptedUntil: null });
  expect(() => requireWithinDeadline(new Date('2999-01-01T00:00:00Z'), open)).not.toThrow();
});

test('late work is accepted until the deadline for late work', () => {
  const late = times({ acceptedUntil: at('11:00:00') });
  expect(() => requireWithinDeadline(at('11:00:00'), late)).not.toThrow();
  expect(() => requireWithinDeadline(at('11:00:01'), late)).toThrow(refusedWith('HomeworkDeadlineExpired'));
});

test('an upload before the opening time is refused, and an upload exactly at the opening time is accepted', () => {
  const opening = times({ opensAt: at('09:00:00') });
  expect(() => requireWithinDeadline(at('08:59:59'), opening)).toThrow(refusedWith('HomeworkNotOpen'));
  expect(() => requireWithinDeadline(at('09:00:00'), opening)).not.toThrow();
});
