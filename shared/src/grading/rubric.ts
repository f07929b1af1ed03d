import type { Points } from './points.ts';

export const rubricModes = ['add', 'subtract'] as const;

export interface RubricItem {
  id: number;
  points: Points;
  text: string;
  explanation: string | null;
  /** At most one item of a group can be selected. */
  group: string | null;
  /** The key that selects the item. */
  key: string | null;
}

/** The rules for grading the submissions for an item, which is a quiz or the assignment of a class. */
export interface Rubric {
  /** Increases with each change, and continues after a deletion. */
  revision: number;
  /** `add` starts at 0 and adds the selected items, `subtract` starts at `maxPoints` and subtracts them. */
  mode: (typeof rubricModes)[number];
  maxPoints: Points;
  minPoints: Points;
  items: RubricItem[];
}

/** A grader's selection in a rubric. */
export interface Selection {
  itemIds: number[];
  /** Added to the points of the items. */
  adjustment: Points;
}

/** The part of a rubric that determines the points of a selection. */
export type Scale = Pick<Rubric, 'mode' | 'maxPoints' | 'minPoints'> & {
  items: Pick<RubricItem, 'id' | 'points'>[];
};

/** Returns the points of a selection. Ignores ids that are not in the rubric. */
export function pointsOf({ mode, maxPoints, minPoints, items }: Scale, selection: Selection): Points {
  const selected = new Set(selection.itemIds);
  let sum = 0;
  for (const { id, points } of items) if (selected.has(id)) sum += points;
  const byItems = within(minPoints, mode === 'add' ? sum : maxPoints - sum, maxPoints);
  return within(0, byItems + selection.adjustment, maxPoints);
}

export const within = (min: number, value: number, max: number): number =>
  Math.min(Math.max(value, min), max);

/** Returns the first two selected items of one group; undefined for a valid selection. */
export function conflictIn(
  items: Pick<RubricItem, 'id' | 'group'>[],
  itemIds: number[],
): { group: string; itemIds: [number, number] } | undefined {
  const selected = new Set(itemIds);
  const firstOf = new Map<string, number>();
  for (const { id, group } of items) {
    if (group === null || !selected.has(id)) continue;
    const first = firstOf.get(group);
    if (first !== undefined) return { group, itemIds: [first, id] };
    firstOf.set(group, id);
  }
  return undefined;
}
