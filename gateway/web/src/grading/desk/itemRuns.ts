import type { RubricItem } from '../queue/gradingTypes.ts';

export interface ItemRun {
  /** Null for a single item that excludes no others. */
  group: string | null;
  items: RubricItem[];
}

/** Groups adjacent items of the same group, of which at most one applies. Keeps their order. */
export function itemRuns(items: RubricItem[]): ItemRun[] {
  const runs: ItemRun[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last && item.group !== null && last.group === item.group) last.items.push(item);
    else runs.push({ group: item.group, items: [item] });
  }
  return runs;
}
