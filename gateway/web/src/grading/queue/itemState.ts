import { momentOf } from '../../shared/time/moment.ts';
import type { Item } from './gradingTypes.ts';

export type ItemState = 'draft' | 'open' | 'closed';

/** English texts. */
export const stateText: Record<ItemState, string> = { draft: 'Draft', open: 'Open', closed: 'Closed' };

/**
 * Returns the state of an item at a time of the server. An item that opens later is open, and an item that accepts late
 * work stays open until the end of that time.
 */
export function itemStateAt(
  { published, closes_at, late }: Pick<Item, 'published' | 'closes_at' | 'late'>,
  now: Date,
): ItemState {
  if (!published) return 'draft';
  const end = late?.until ?? closes_at;
  return end !== null && momentOf(end) <= now ? 'closed' : 'open';
}
