import { AppError } from '@gradeway/shared/appError';
import type { Quiz } from './quiz.ts';

/** What the student says of the attempt. */
export interface Attempt {
  startAt: Date;
  durationMinutes: number;
}

type Window = Pick<Quiz, 'opensAt' | 'closesAt' | 'durationMinutes'>;

const minuteMs = 60_000;

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
 * Refuses what was received before the quiz opened or after the deadline. Received at the deadline is in time.
 * @throws AppError 403 `QuizDurationExpired`
 */
export function requireWithinWindow(receivedAt: Date, attempt: Attempt, quiz: Window): void {
  const early = quiz.opensAt !== null && receivedAt < quiz.opensAt;
  const late = receivedAt > deadlineOf(attempt, quiz);
  if (early || late) throw new AppError('forbidden', 'QuizDurationExpired');
}
