import { AppError } from '@gradeway/shared/errors/appError';

const largestBatch = 1_000;

/** Refuses more ids at once than courses.proto allows. */
export function requireBatch(what: string, ids: number[]): void {
  if (ids.length > largestBatch) throw new AppError('invalid', `At most ${largestBatch} ${what} at once`);
}
