import { createHash } from 'node:crypto';
import { maxInteger } from '../config/maxInteger.ts';
import { invalid } from '../errors/appError.ts';
import { type QueueOrder, type QueuePlace, startOfQueue } from './queueOrder.ts';
import type { QueueFilter } from './queueRepository.ts';

// The time of an upload, or the code of a submission.
const shape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z|[0-9A-Z]{4})\|([1-9]\d{0,9})\|(.{12})$/;
const codeLength = 4;

/**
 * Returns the cursor of the page after this position. It is valid for one item and one filter, and keeps the order that
 * it was issued for, so that nothing is skipped or repeated when the order of the item changes. Clients must not
 * interpret it.
 */
export const formatCursor = (
  itemId: number,
  filter: QueueFilter,
  { key, id }: Omit<QueuePlace, 'order'>,
): string => Buffer.from(`${key}|${id}|${fingerprint(itemId, filter)}`).toString('base64url');

/**
 * Returns the position that a cursor encodes; without a cursor, the start of the queue in the order of the item.
 * @throws AppError `invalid` for a malformed cursor, and for a cursor of another item or filter
 */
export function parseCursor(
  { id: itemId, order }: { id: number; order: QueueOrder },
  filter: QueueFilter,
  cursor: string | undefined,
): QueuePlace {
  if (cursor === undefined) return startOfQueue(order);
  const [, key, id, of] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const isCode = key?.length === codeLength;
  if (
    key === undefined ||
    !(isCode || exists(key)) ||
    Number(id) > maxInteger ||
    of !== fingerprint(itemId, filter)
  )
    throw invalid({ cursor: ['The cursor does not belong to this list.'] });
  return { order: isCode ? 'shuffled' : 'arrival', key, id: Number(id) };
}

// A cursor with a time such as February 30 was forged, and PostgreSQL would not accept it.
function exists(time: string): boolean {
  const [seconds = ''] = time.split('.');
  const read = new Date(`${seconds}Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(seconds);
}

// Without a question, the fingerprint is the same as in earlier versions, so their cursors stay valid.
const fingerprint = (itemId: number, { status, search, questionId }: QueueFilter): string =>
  fingerprintOf([itemId, status, search, ...(questionId === undefined ? [] : [questionId])]);

/** Identifies the list that a cursor belongs to. */
export const fingerprintOf = (list: (number | string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);
