import { AppError } from '@gradeway/shared/errors/appError';
import { periodAt, type SubmissionPeriod } from '@gradeway/shared/submissions/submissionPeriod';

/** When students may hand in: homework is open from the moment that it is assigned. */
export const periodOf = (deadline: Date | null): SubmissionPeriod => ({ opensAt: null, closesAt: deadline });

/**
 * Refuses an upload received after the deadline, if there is one. Exactly at the deadline is in time.
 * @throws AppError 403 `HomeworkDeadlineExpired`
 */
export function requireWithinDeadline(receivedAt: Date, deadline: Date | null): void {
  const { state } = periodAt(periodOf(deadline), receivedAt);
  if (state === 'closed') throw new AppError('forbidden', 'HomeworkDeadlineExpired');
}
