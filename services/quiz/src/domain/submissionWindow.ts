import { AppError } from '@gradeway/shared/errors/appError';
import { periodAt, type SubmissionPeriod } from '@gradeway/shared/submissions/submissionPeriod';
import type { AnswerSheet, StartFlag } from './answerSheet.ts';
import type { Quiz } from './quiz.ts';

type Attempt = Pick<AnswerSheet, 'startAt' | 'durationMinutes'>;
type QuizWindow = Pick<Quiz, 'opensAt' | 'closesAt' | 'durationMinutes'>;

const minuteMs = 60_000;
const toleranceMs = 2 * minuteMs;

/**
 * The last moment at which an answer sheet is accepted: `duration` minutes after `start_at`, limited by the quiz's own
 * duration and closing time (D26).
 */
export function deadlineOf(attempt: Attempt, quiz: QuizWindow): Date {
  const start = attempt.startAt.getTime();
  const limits = [start + attempt.durationMinutes * minuteMs];
  if (quiz.durationMinutes !== null) limits.push(start + quiz.durationMinutes * minuteMs);
  if (quiz.closesAt !== null) limits.push(quiz.closesAt.getTime());
  return new Date(Math.min(...limits));
}

/**
 * The attempt that counts if the client's clock is not trusted. It begins at the recorded start and lasts for the quiz's
 * duration, or for the claimed one if the quiz has none. Without a recorded start, only the claim exists (decision 24).
 */
export function trustedAttempt(claimed: Attempt, recordedStartAt: Date | null, quiz: QuizWindow): Attempt {
  if (recordedStartAt === null) return claimed;
  return {
    startAt: effectiveStart(recordedStartAt, quiz),
    durationMinutes: quiz.durationMinutes ?? claimed.durationMinutes,
  };
}

/** When a student's time ends according to the quiz alone; null if the quiz sets no limit. */
export function attemptEnd(recordedStartAt: Date | null, quiz: QuizWindow): Date | null {
  const { durationMinutes, closesAt } = quiz;
  if (recordedStartAt === null || durationMinutes === null) return closesAt;
  return deadlineOf({ startAt: effectiveStart(recordedStartAt, quiz), durationMinutes }, quiz);
}

/** The period in which a student may submit, according to the quiz alone. */
export const periodOf = (recordedStartAt: Date | null, quiz: QuizWindow): SubmissionPeriod => ({
  opensAt: quiz.opensAt,
  closesAt: attemptEnd(recordedStartAt, quiz),
});

// If the opening is postponed after a student has seen the questions, the attempt starts with the opening.
const effectiveStart = (recordedStartAt: Date, { opensAt }: QuizWindow): Date =>
  opensAt !== null && opensAt > recordedStartAt ? opensAt : recordedStartAt;

interface StartEvidence {
  startAt: Date;
  recordedStartAt: Date | null;
  hasQuestionPdf: boolean;
  trustClientClock: boolean;
}

/**
 * Flags a claimed start that differs from the recorded one by more than two minutes, and a missing record if the window
 * depends on it and there was a question PDF to open.
 */
export function startFlags(evidence: StartEvidence): StartFlag[] {
  const { startAt, recordedStartAt, hasQuestionPdf, trustClientClock } = evidence;
  if (recordedStartAt === null) return hasQuestionPdf && !trustClientClock ? ['no_recorded_start'] : [];
  const difference = Math.abs(startAt.getTime() - recordedStartAt.getTime());
  return difference > toleranceMs ? ['start_mismatch'] : [];
}

/**
 * Rejects an answer sheet received before the quiz opens or after the deadline. A sheet exactly at the deadline is in time.
 * @throws AppError 403 `QuizDurationExpired`
 */
export function requireWithinWindow(receivedAt: Date, attempt: Attempt, quiz: QuizWindow): void {
  const period = { opensAt: quiz.opensAt, closesAt: deadlineOf(attempt, quiz) };
  if (periodAt(period, receivedAt).state !== 'open') throw new AppError('forbidden', 'QuizDurationExpired');
}
