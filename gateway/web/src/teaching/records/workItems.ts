import type { GradingItem, Kind } from '../../shared/api/workTypes.ts';
import type { WorkItem } from './teachingTypes.ts';

export interface ListedWork {
  items: WorkItem[];
  /** When the server listed them. */
  servedAt: Date | undefined;
}

/**
 * Adds the state to each item. `open` contains the items that the server lists as open, so that no device's clock
 * matters.
 */
export function workItems(kind: Kind, all: GradingItem[], open: { id: number }[]): WorkItem[] {
  const isOpen = new Set(open.map(({ id }) => id));
  return all.map((item) => ({
    ...item,
    kind,
    state: !item.published ? 'draft' : isOpen.has(item.id) ? 'open' : 'closed',
  }));
}
