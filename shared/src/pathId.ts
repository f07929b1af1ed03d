import { notFound } from './appError.ts';
import { largestId } from './validation.ts';

/** Reads an id of a path (D4). @throws AppError `not_found` when no record can have it */
export function readId(text: string | string[] | undefined): number {
  const id = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (id < 1 || id > largestId) throw notFound();
  return id;
}
