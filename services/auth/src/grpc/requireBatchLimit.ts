import { invalid } from '@gradeway/shared/errors/appError';

/** Rejects batches larger than auth.proto allows. */
export function requireBatchLimit(field: string, items: unknown[], maxItems: number): void {
  if (items.length > maxItems) throw invalid({ [field]: [`At most ${maxItems} at once.`] });
}
