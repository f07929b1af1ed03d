import { AppError } from '@gradeway/shared/errors/appError';
import type { PersonalTimes } from '@gradeway/shared/items/personalTimes';
import { periodAt, type SubmissionPeriod } from '@gradeway/shared/submissions/submissionPeriod';
import type { AnswerSheet, StartFlag } from './answerSheet.ts';

type Attempt = Pick<AnswerSheet, 'startAt' | 'durationMinutes'>;

const minuteMs = 60_000;
const toleranceMs = 2 * minuteMs;

/**
 * The last moment at which an answer sheet is on time: `duration` minutes after `start_at`, limited by the quiz's
 * duration and closing time for the student (D26).
 */
export const deadlineOf = (attempt: Attempt, times: PersonalTimes): Date =>
  endOf(attempt, times.durationMinutes, times.closesAt);

/**
 * The last moment at which an answer sheet is accepted. Late work is accepted after the closing time, but not after the
 * duration.
 */
const acceptedUntil = (attempt: Attempt, times: PersonalTimes): Date =>
  endOf(attempt, times.durationMinutes, times.acceptedUntil);

function endOf(attempt: Attempt, durationMinutes: number | null, latest: Date | null): Date {
  const start = attempt.startAt.getTime();
  const limits = [start + attempt.durationMinutes * minuteMs];
  if (durationMinutes !== null) limits.push(start + durationMinutes * minuteMs);
  if (latest !== null) limits.push(latest.getTime());
  return new Date(Math.min(...limits));
}

/**
 * The attempt that counts if the client's clock is not trusted. It begins at the recorded start and lasts for the quiz's
 * duration, or for the claimed duration if the quiz sets none. Without a recorded start, only the claim exists
 * (decision 24).
 */
export function trustedAttempt(
  claimed: Attempt,
  recordedStartAt: Date | null,
  times: PersonalTimes,
): Attempt {
  if (recordedStartAt === null) return claimed;
  return {
    startAt: effectiveStart(recordedStartAt, times),
    durationMinutes: times.durationMinutes ?? claimed.durationMinutes,
  };
}

/** When a student's time ends according to the quiz alone; null if the quiz sets no limit. */
export function attemptEnd(recordedStartAt: Date | null, times: PersonalTimes): Date | null {
  const { durationMinutes } = times;
  if (recordedStartAt === null || durationMinutes === null) return times.acceptedUntil;
  return acceptedUntil({ startAt: effectiveStart(recordedStartAt, times), durationMinutes }, times);
}

/** The period in which a student may submit, according to the quiz alone. */
export const periodOf = (recordedStartAt: Date | null, times: PersonalTimes): SubmissionPeriod => ({
  opensAt: times.opensAt,
  closesAt: attemptEnd(recordedStartAt, times),
});

// If the opening is postponed after a student has seen the questions, the attempt starts with the opening.
const effectiveStart = (recordedStartAt: Date, { opensAt }: PersonalTimes): Date =>
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
 * Rejects an answer sheet received before the quiz opens or after the last moment at which it is accepted; exactly at
 * that moment, it is still on time.
 * @throws AppError 403 `QuizDurationExpired`
 */
export function requireWithinWindow(receivedAt: Date, attempt: Attempt, times: PersonalTimes): void {
  const period = { opensAt: times.opensAt, closesAt: acceptedUntil(attempt, times) };
  if (periodAt(period, receivedAt).state !== 'open')
    throw new AppError('forbidden', 'QuizDurationExpired', { reason: 'deadline_passed' });
}
