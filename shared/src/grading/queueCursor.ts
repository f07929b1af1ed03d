import { createHash } from 'node:crypto';
import { maxInteger } from '../config/maxInteger.ts';
import { invalid } from '../errors/appError.ts';
import { type QueueFilter, type QueuePlace, startOfQueue } from './queueRepository.ts';

const shape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)\|([1-9]\d{0,9})\|(.{12})$/;

/** Returns the cursor of the page after this position. It is valid for one item and one filter. Clients must not interpret it. */
export const formatCursor = (itemId: number, filter: QueueFilter, { submittedAt, id }: QueuePlace): string =>
  Buffer.from(`${submittedAt}|${id}|${fingerprint(itemId, filter)}`).toString('base64url');

/**
 * Returns the position that a cursor encodes; without a cursor, the start of the queue.
 * @throws AppError `invalid` for a malformed cursor, and for one of another item or filter
 */
export function parseCursor(itemId: number, filter: QueueFilter, cursor: string | undefined): QueuePlace {
  if (cursor === undefined) return startOfQueue;
  const [, submittedAt, id, of] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (
    submittedAt === undefined ||
    !exists(submittedAt) ||
    Number(id) > maxInteger ||
    of !== fingerprint(itemId, filter)
  )
    throw invalid({ cursor: ['The cursor does not belong to this list.'] });
  return { submittedAt, id: Number(id) };
}

// A cursor with a time such as February 30 was forged, and PostgreSQL would not accept it.
function exists(time: string): boolean {
  const [seconds = ''] = time.split('.');
  const read = new Date(`${seconds}Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(seconds);
}

const fingerprint = (itemId: number, { status, search }: QueueFilter): string =>
  createHash('sha256')
    .update(JSON.stringify([itemId, status, search]))
    .digest('base64url')
    .slice(0, 12);
