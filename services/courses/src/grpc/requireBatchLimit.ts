import { AppError } from '@gradeway/shared/errors/appError';

const maxBatchSize = 1_000;

/** Rejects more ids than courses.proto allows in one call. */
export function requireBatchLimit(what: string, ids: number[]): void {
  if (ids.length > maxBatchSize) throw new AppError('invalid', `At most ${maxBatchSize} ${what} at once`);
}
