import { maxInteger } from '../config/maxInteger.ts';
import { notFound } from '../errors/appError.ts';

/**
 * Parses an id in a path (D4).
 * @param max maximum value of the database column
 * @throws AppError `not_found` if no record can have this id
 */
export function readId(text: string | string[] | undefined, max = maxInteger): number {
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > max) throw notFound();
  return id;
}
