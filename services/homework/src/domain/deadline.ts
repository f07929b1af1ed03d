import { AppError } from '@gradeway/shared/errors/appError';
import { periodAt, type SubmissionPeriod } from '@gradeway/shared/submissions/submissionPeriod';

/** The period in which students may submit homework, which is open as soon as it is assigned. */
export const periodOf = (deadline: Date | null): SubmissionPeriod => ({ opensAt: null, closesAt: deadline });

/**
 * Rejects an upload received after the deadline, if there is one. An upload exactly at the deadline is in time.
 * @throws AppError 403 `HomeworkDeadlineExpired`
 */
export function requireWithinDeadline(receivedAt: Date, deadline: Date | null): void {
  const { state } = periodAt(periodOf(deadline), receivedAt);
  if (state === 'closed') throw new AppError('forbidden', 'HomeworkDeadlineExpired');
}
