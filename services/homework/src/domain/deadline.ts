import { AppError } from '@gradeway/shared/errors/appError';

/**
 * Refuses an upload received after the deadline, if there is one. Exactly at the deadline is in time.
 * @throws AppError 403 `HomeworkDeadlineExpired`
 */
export function requireWithinDeadline(receivedAt: Date, deadline: Date | null): void {
  if (deadline !== null && receivedAt > deadline) throw new AppError('forbidden', 'HomeworkDeadlineExpired');
}
