import { notFound } from '../errors/appError.ts';
import { largestId } from './validation.ts';

/**
 * Reads an id of a path (D4); `largest` is what its column holds.
 * @throws AppError `not_found` when no record can have it
 */
export function readId(text: string | string[] | undefined, largest = largestId): number {
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > largest) throw notFound();
  return id;
}
