import { maxInteger } from '../config/maxInteger.ts';
import { invalid } from '../errors/appError.ts';
import { fingerprintOf } from '../grading/queueCursor.ts';

/** Filters the list of an item's students. */
export interface EveryoneFilter {
  state: 'missing' | 'submitted' | 'graded' | 'excused' | undefined;
  search: string;
}

const shape = /^([1-9]\d{0,9})\|(.{12})$/;

/** Returns the cursor of the page after this student. It is valid for one item and one filter. Clients must not interpret it. */
export const formatCursor = (itemId: number, filter: EveryoneFilter, studentId: number): string =>
  Buffer.from(`${studentId}|${fingerprint(itemId, filter)}`).toString('base64url');

/**
 * Returns the last student of the previous page; undefined without a cursor.
 * @throws AppError `invalid` for a malformed cursor, and for a cursor of another item or filter
 */
export function parseCursor(
  itemId: number,
  filter: EveryoneFilter,
  cursor: string | undefined,
): number | undefined {
  if (cursor === undefined) return undefined;
  const [, studentId, of] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (studentId === undefined || Number(studentId) > maxInteger || of !== fingerprint(itemId, filter))
    throw invalid({ cursor: ['The cursor does not belong to this list.'] });
  return Number(studentId);
}

const fingerprint = (itemId: number, { state, search }: EveryoneFilter): string =>
  fingerprintOf(['everyone', itemId, state ?? null, search]);
