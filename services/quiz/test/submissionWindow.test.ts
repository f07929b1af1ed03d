import { describe, expect, test } from 'vitest';
import { deadlineOf, requireWithinWindow } from '../src/domain/submissionWindow.ts';

const at = (time: string) => new Date(`2026-03-01T${time}Z`);
const attempt = { startAt: at('10:00:00'), durationMinutes: 30 };
const open = { opensAt: null, closesAt: null, durationMinutes: null };

describe('the deadline of an attempt', () => {
  test('is start_at plus duration where the quiz sets nothing', () => {
    expect(deadlineOf(attempt, open)).toEqual(at('10:30:00'));
  });

  test('counts fractions of a minute', () => {
    expect(deadlineOf({ ...attempt, durationMinutes: 0.5 }, open)).toEqual(at('10:00:30'));
  });

  test.each([
    ['a shorter duration of the quiz', { ...open, durationMinutes: 20 }, '10:20:00'],
    ['an earlier closing time', { ...open, closesAt: at('10:10:00') }, '10:10:00'],
    ['the earliest of both', { opensAt: null, closesAt: at('10:15:00'), durationMinutes: 20 }, '10:15:00'],
  ])('is %s, whatever the client claims (D26)', (_, quiz, time) => {
    expect(deadlineOf(attempt, quiz)).toEqual(at(time));
  });

  test('is never later than the client says itself', () => {
    expect(deadlineOf(attempt, { opensAt: null, closesAt: at('12:00:00'), durationMinutes: 90 })).toEqual(
      at('10:30:00'),
    );
  });
});

describe('an answer sheet', () => {
  const refused = expect.objectContaining({ code: 'forbidden', message: 'QuizDurationExpired' });

  test('received at the very deadline is in time', () => {
    expect(() => requireWithinWindow(at('10:30:00'), attempt, open)).not.toThrow();
  });

  test('received a millisecond later is refused', () => {
    const late = new Date(at('10:30:00').getTime() + 1);
    expect(() => requireWithinWindow(late, attempt, open)).toThrow(refused);
  });

  test('received before the quiz opens is refused', () => {
    expect(() => requireWithinWindow(at('10:05:00'), attempt, { ...open, opensAt: at('10:06:00') })).toThrow(
      refused,
    );
  });
});
