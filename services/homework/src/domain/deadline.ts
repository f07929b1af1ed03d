import { AppError } from '@gradeway/shared/errors/appError';

/**
 * Refuses what was received after the deadline; without one nothing is late. Received at the deadline is in time.
 * @throws AppError 403 `HomeworkDeadlineExpired`
 */
export function requireInTime(receivedAt: Date, deadline: Date | null): void {
  if (deadline !== null && receivedAt > deadline) throw new AppError('forbidden', 'HomeworkDeadlineExpired');
}
