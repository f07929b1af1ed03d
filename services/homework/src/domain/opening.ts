import { AppError } from '@gradeway/shared/errors/appError';
import { periodAt } from '@gradeway/shared/submissions/submissionPeriod';

/**
 * Rejects an upload received before the assignment opens. An upload exactly at the opening time is accepted.
 * @throws AppError 403 `HomeworkNotOpen`
 */
export function requireOpened(receivedAt: Date, opensAt: Date | null): void {
  const { state } = periodAt({ opensAt, closesAt: null }, receivedAt);
  if (state === 'upcoming') throw new AppError('forbidden', 'HomeworkNotOpen');
}
