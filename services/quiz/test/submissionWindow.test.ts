import { describe, expect, test } from 'vitest';
import {
  closingFor,
  deadlineOf,
  flagsOf,
  recordedAttempt,
  requireWithinWindow,
} from '../src/domain/submissionWindow.ts';

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

describe('an attempt by the recorded start', () => {
  test('begins when the questions were opened, whatever the student says', () => {
    const judged = recordedAttempt(attempt, at('09:50:00'), open);
    expect(judged).toEqual({ startAt: at('09:50:00'), durationMinutes: 30 });
  });

  test('lasts as long as the quiz says, also where the student says less', () => {
    const judged = recordedAttempt(attempt, at('09:50:00'), { ...open, durationMinutes: 45 });
    expect(judged).toEqual({ startAt: at('09:50:00'), durationMinutes: 45 });
  });

  test('does not begin before the quiz opens', () => {
    const judged = recordedAttempt(attempt, at('09:50:00'), { ...open, opensAt: at('09:55:00') });
    expect(judged.startAt).toEqual(at('09:55:00'));
  });

  test('is what the student says where no start was recorded', () => {
    expect(recordedAttempt(attempt, null, { ...open, durationMinutes: 45 })).toEqual(attempt);
  });
});

describe('the time that is left', () => {
  test.each([
    ['ends with the quiz before the questions were opened', null, { closesAt: at('12:00:00') }, '12:00:00'],
    ['runs from the recorded start', at('10:00:00'), { durationMinutes: 20 }, '10:20:00'],
    [
      'runs from the opening of the quiz for who looked earlier',
      at('09:00:00'),
      { durationMinutes: 20, opensAt: at('10:00:00') },
      '10:20:00',
    ],
    [
      'ends with the quiz all the same',
      at('10:00:00'),
      { durationMinutes: 90, closesAt: at('11:00:00') },
      '11:00:00',
    ],
  ])('%s', (_, recorded, quiz, time) => {
    expect(closingFor(recorded, { ...open, ...quiz })).toEqual(at(time));
  });

  test('is not limited where the quiz limits nothing', () => {
    expect(closingFor(at('10:00:00'), open)).toBeNull();
  });
});

describe('flags', () => {
  const given = { claimed: at('10:00:00'), hasQuestions: true, trustsClient: true };

  test.each([
    ['the same moment', '10:00:00', []],
    ['two minutes earlier', '09:58:00', []],
    ['two minutes later', '10:02:00', []],
    ['more than two minutes earlier', '09:57:59', ['start_mismatch']],
    ['more than two minutes later', '10:02:01', ['start_mismatch']],
  ])('with a start recorded %s', (_, recorded, flags) => {
    for (const trustsClient of [true, false])
      expect(flagsOf({ ...given, recorded: at(recorded), trustsClient })).toEqual(flags);
  });

  test('without a recorded start there is no evidence, and no flag', () => {
    expect(flagsOf({ ...given, recorded: null })).toEqual([]);
  });

  test('a missing record is flagged where the window goes by it and there were questions to open', () => {
    const enforced = { ...given, recorded: null, trustsClient: false };
    expect(flagsOf(enforced)).toEqual(['no_recorded_start']);
    expect(flagsOf({ ...enforced, hasQuestions: false })).toEqual([]);
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
