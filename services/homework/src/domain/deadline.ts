import { AppError } from '@gradeway/shared/errors/appError';
import type { PersonalTimes } from '@gradeway/shared/items/personalTimes';
import { periodAt, type SubmissionPeriod } from '@gradeway/shared/submissions/submissionPeriod';

/** The period in which a student may submit homework, including late work. */
export const periodOf = ({ opensAt, acceptedUntil }: PersonalTimes): SubmissionPeriod => ({
  opensAt,
  closesAt: acceptedUntil,
});

/**
 * Rejects an upload received before the homework opens, or after the last moment at which it is accepted; exactly at
 * that moment, it is still on time.
 * @throws AppError 403 `HomeworkNotOpen` or `HomeworkDeadlineExpired`
 */
export function requireWithinDeadline(receivedAt: Date, times: PersonalTimes): void {
  const { state } = periodAt(periodOf(times), receivedAt);
  if (state === 'upcoming') throw new AppError('forbidden', 'HomeworkNotOpen', { reason: 'not_open' });
  if (state === 'closed')
    throw new AppError('forbidden', 'HomeworkDeadlineExpired', { reason: 'deadline_passed' });
}
