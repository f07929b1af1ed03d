import type { RubricItem } from '../queue/gradingTypes.ts';

export interface ItemRun {
  /** Null for a single item that excludes no other. */
  group: string | null;
  items: RubricItem[];
}

/** The items in their order, with neighbours of one group together: at most one of those applies. */
export function itemRuns(items: RubricItem[]): ItemRun[] {
  const runs: ItemRun[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last && item.group !== null && last.group === item.group) last.items.push(item);
    else runs.push({ group: item.group, items: [item] });
  }
  return runs;
}
