import { notFound } from '../errors/appError.ts';
import { largestId } from './validation.ts';

/**
 * Parses an id in a path (D4).
 * @param largest maximum value of the database column
 * @throws AppError `not_found` if no record can have this id
 */
export function readId(text: string | string[] | undefined, largest = largestId): number {
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > largest) throw notFound();
  return id;
}
