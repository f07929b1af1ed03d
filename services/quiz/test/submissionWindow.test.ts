import type { PersonalTimes } from '@gradeway/shared/items/personalTimes';
import { describe, expect, test } from 'vitest';
import {
  attemptEnd,
  deadlineOf,
  requireWithinWindow,
  startFlags,
  trustedAttempt,
} from '../src/domain/submissionWindow.ts';

const at = (time: string) => new Date(`2026-03-01T${time}Z`);
const attempt = { startAt: at('10:00:00'), durationMinutes: 30 };
const open: PersonalTimes = { opensAt: null, closesAt: null, acceptedUntil: null, durationMinutes: null };
const closing = (time: string, acceptedUntil = time) => ({
  ...open,
  closesAt: at(time),
  acceptedUntil: at(acceptedUntil),
});

describe('the deadline of an attempt', () => {
  test('the deadline of an attempt is start_at plus duration if the quiz sets no limit', () => {
    expect(deadlineOf(attempt, open)).toEqual(at('10:30:00'));
  });

  test('the deadline of an attempt includes fractions of a minute', () => {
    expect(deadlineOf({ ...attempt, durationMinutes: 0.5 }, open)).toEqual(at('10:00:30'));
  });

  test.each([
    ['a shorter duration of the quiz', { ...open, durationMinutes: 20 }, '10:20:00'],
    ['an earlier closing time', closing('10:10:00'), '10:10:00'],
    ['the earlier of the two', { ...closing('10:15:00'), durationMinutes: 20 }, '10:15:00'],
  ])('is %s, whatever the client claims (D26)', (_, quiz, time) => {
    expect(deadlineOf(attempt, quiz)).toEqual(at(time));
  });

  test('the deadline of an attempt is never later than the client claims', () => {
    const times = { ...closing('12:00:00'), durationMinutes: 90 };
    expect(deadlineOf(attempt, times)).toEqual(at('10:30:00'));
  });

  test('the deadline of an attempt is the closing time even if late work is accepted', () => {
    expect(deadlineOf(attempt, closing('10:10:00', '12:00:00'))).toEqual(at('10:10:00'));
  });
});

describe('an attempt with an untrusted client clock', () => {
  test('an attempt with an untrusted clock starts when the questions were opened, whatever the student claims', () => {
    const attempted = trustedAttempt(attempt, at('09:50:00'), open);
    expect(attempted).toEqual({ startAt: at('09:50:00'), durationMinutes: 30 });
  });

  test('an attempt with an untrusted clock lasts for the duration of the quiz, even if the student claims less', () => {
    const attempted = trustedAttempt(attempt, at('09:50:00'), { ...open, durationMinutes: 45 });
    expect(attempted).toEqual({ startAt: at('09:50:00'), durationMinutes: 45 });
  });

  test('an attempt with an untrusted clock does not start before the quiz opens', () => {
    const attempted = trustedAttempt(attempt, at('09:50:00'), { ...open, opensAt: at('09:55:00') });
    expect(attempted.startAt).toEqual(at('09:55:00'));
  });

  test("an attempt without a recorded start uses the student's claims", () => {
    expect(trustedAttempt(attempt, null, { ...open, durationMinutes: 45 })).toEqual(attempt);
  });
});

describe('the end of an attempt', () => {
  test.each([
    [
      'is the closing time of the quiz before the questions were opened',
      null,
      closing('12:00:00'),
      '12:00:00',
    ],
    ['follows from the recorded start', at('10:00:00'), { durationMinutes: 20 }, '10:20:00'],
    [
      'follows from the opening time of the quiz if the questions were opened earlier',
      at('09:00:00'),
      { durationMinutes: 20, opensAt: at('10:00:00') },
      '10:20:00',
    ],
    [
      'is never later than the closing time of the quiz',
      at('10:00:00'),
      { ...closing('11:00:00'), durationMinutes: 90 },
      '11:00:00',
    ],
    [
      'is the end of late work if the attempt lasts longer',
      at('10:00:00'),
      { ...closing('10:10:00', '10:20:00'), durationMinutes: 90 },
      '10:20:00',
    ],
    [
      'is the end of the attempt if late work is accepted longer',
      at('10:00:00'),
      { ...closing('10:10:00', '12:00:00'), durationMinutes: 20 },
      '10:20:00',
    ],
  ])('%s', (_, recorded, quiz, time) => {
    expect(attemptEnd(recorded, { ...open, ...quiz })).toEqual(at(time));
  });

  test('the end of an attempt is null if the quiz sets no limit', () => {
    expect(attemptEnd(at('10:00:00'), open)).toBeNull();
  });
});

describe('the flags of an attempt', () => {
  const evidence = { startAt: at('10:00:00'), hasQuestionPdf: true, trustClientClock: true };

  test.each([
    ['the same moment', '10:00:00', []],
    ['two minutes earlier', '09:58:00', []],
    ['two minutes later', '10:02:00', []],
    ['more than two minutes earlier', '09:57:59', ['start_mismatch']],
    ['more than two minutes later', '10:02:01', ['start_mismatch']],
  ])('with a start recorded %s', (_, recorded, flags) => {
    for (const trustClientClock of [true, false])
      expect(startFlags({ ...evidence, recordedStartAt: at(recorded), trustClientClock })).toEqual(flags);
  });

  test('the flags of an attempt are empty without a recorded start', () => {
    expect(startFlags({ ...evidence, recordedStartAt: null })).toEqual([]);
  });

  test('the flags of an attempt include a missing start if the window depends on it and there was a question PDF', () => {
    const enforced = { ...evidence, recordedStartAt: null, trustClientClock: false };
    expect(startFlags(enforced)).toEqual(['no_recorded_start']);
    expect(startFlags({ ...enforced, hasQuestionPdf: false })).toEqual([]);
  });
});

describe('an answer sheet', () => {
  const refused = expect.objectContaining({ code: 'forbidden', message: 'QuizDurationExpired' });

  test('an answer sheet received exactly at the deadline is accepted', () => {
    expect(() => requireWithinWindow(at('10:30:00'), attempt, open)).not.toThrow();
  });

  test('an answer sheet received a millisecond after the deadline is refused', () => {
    const late = new Date(at('10:30:00').getTime() + 1);
    expect(() => requireWithinWindow(late, attempt, open)).toThrow(refused);
  });

  test('an answer sheet received before the quiz opens is refused', () => {
    expect(() => requireWithinWindow(at('10:05:00'), attempt, { ...open, opensAt: at('10:06:00') })).toThrow(
      refused,
    );
  });

  test('an answer sheet is accepted after the closing time until late work ends, but never after the duration', () => {
    const times = { ...closing('10:10:00', '10:20:00'), durationMinutes: 15 };
    expect(() => requireWithinWindow(at('10:15:00'), attempt, times)).not.toThrow();
    expect(() => requireWithinWindow(at('10:15:01'), attempt, times)).toThrow(refused);
    const untimed = closing('10:10:00', '10:20:00');
    expect(() => requireWithinWindow(at('10:20:00'), attempt, untimed)).not.toThrow();
    expect(() => requireWithinWindow(at('10:20:01'), attempt, untimed)).toThrow(refused);
  });
});
