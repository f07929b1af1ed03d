import { AppError } from '@gradeway/shared/errors/appError';
import type { Quiz } from './quiz.ts';

/** What the student says of the attempt. */
export interface Attempt {
  startAt: Date;
  durationMinutes: number;
}

type Window = Pick<Quiz, 'opensAt' | 'closesAt' | 'durationMinutes'>;

/** What does not fit together about the beginning of an attempt. */
export type Flag = 'start_mismatch' | 'no_recorded_start';

interface Beginning {
  claimed: Date;
  /** When the student first opened the question PDF; null when that was never seen. */
  recorded: Date | null;
  /** Whether the quiz has a question PDF to open. */
  hasQuestions: boolean;
  /** Whether the window goes by what the student says. */
  trustsClient: boolean;
}

const minuteMs = 60_000;
const toleratedMs = 2 * minuteMs;

/**
 * The last moment at which an answer sheet counts: `duration` minutes after `start_at`, and no later than what
 * the quiz itself sets (D26).
 */
export function deadlineOf(attempt: Attempt, quiz: Window): Date {
  const start = attempt.startAt.getTime();
  const ends = [start + attempt.durationMinutes * minuteMs];
  if (quiz.durationMinutes !== null) ends.push(start + quiz.durationMinutes * minuteMs);
  if (quiz.closesAt !== null) ends.push(quiz.closesAt.getTime());
  return new Date(Math.min(...ends));
}

/**
 * The attempt as it is judged where the client's clock is not trusted: it began when the questions were opened, and
 * lasts as long as the quiz says; where the quiz does not say, as long as the student says. Of an attempt whose
 * beginning was not seen there is only what the student says (decision 0024).
 */
export function recordedAttempt(claimed: Attempt, recorded: Date | null, quiz: Window): Attempt {
  if (recorded === null) return claimed;
  return {
    startAt: startOf(recorded, quiz),
    durationMinutes: quiz.durationMinutes ?? claimed.durationMinutes,
  };
}

/** When a student's time runs out, as far as the quiz sets it; null where it does not. */
export function closingFor(recorded: Date | null, { durationMinutes, ...quiz }: Window): Date | null {
  if (recorded === null || durationMinutes === null) return quiz.closesAt;
  const startAt = startOf(recorded, { durationMinutes, ...quiz });
  return deadlineOf({ startAt, durationMinutes }, { durationMinutes, ...quiz });
}

/** Whether a quiz has opened: before that its questions are for nobody but administrators. */
export const hasOpened = ({ opensAt }: Pick<Window, 'opensAt'>, now: Date): boolean =>
  opensAt === null || opensAt <= now;

// Who was shown the questions before the quiz opens (it was put off meanwhile) has the same time as everybody else.
const startOf = (recorded: Date, { opensAt }: Window): Date =>
  opensAt !== null && opensAt > recorded ? opensAt : recorded;

/** What is to be flagged: a claimed start more than two minutes from the recorded one, either way. */
export function flagsOf({ claimed, recorded, hasQuestions, trustsClient }: Beginning): Flag[] {
  if (recorded !== null)
    return Math.abs(claimed.getTime() - recorded.getTime()) > toleratedMs ? ['start_mismatch'] : [];
  return hasQuestions && !trustsClient ? ['no_recorded_start'] : [];
}

/**
 * Refuses what was received before the quiz opened or after the deadline. Received at the deadline is in time.
 * @throws AppError 403 `QuizDurationExpired`
 */
export function requireWithinWindow(receivedAt: Date, attempt: Attempt, quiz: Window): void {
  const late = receivedAt > deadlineOf(attempt, quiz);
  if (!hasOpened(quiz, receivedAt) || late) throw new AppError('forbidden', 'QuizDurationExpired');
}
