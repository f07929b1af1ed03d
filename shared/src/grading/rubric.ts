import type { Points } from './points.ts';

export const rubricModes = ['add', 'subtract'] as const;

export interface RubricItem {
  id: number;
  points: Points;
  text: string;
  explanation: string | null;
  /** Of the items of a group at most one can be selected. */
  group: string | null;
  /** The key on the keyboard that selects it. */
  key: string | null;
}

/** How the submissions for an item (a quiz, or the assignment of a class) are graded. */
export interface Rubric {
  /** Increases with each change, also across a deletion. */
  revision: number;
  /** `add` starts at 0 and adds the selected items, `subtract` starts at `maxPoints` and subtracts them. */
  mode: (typeof rubricModes)[number];
  maxPoints: Points;
  minPoints: Points;
  items: RubricItem[];
}

/** What a grader selected in a rubric. */
export interface Selection {
  itemIds: number[];
  /** Added to the points of the items. */
  adjustment: Points;
}

/** What the points of a selection follow from. */
export type Scale = Pick<Rubric, 'mode' | 'maxPoints' | 'minPoints'> & {
  items: Pick<RubricItem, 'id' | 'points'>[];
};

/** The points of a selection. Ids that the rubric does not have count nothing. */
export function pointsOf({ mode, maxPoints, minPoints, items }: Scale, selection: Selection): Points {
  const selected = new Set(selection.itemIds);
  let sum = 0;
  for (const { id, points } of items) if (selected.has(id)) sum += points;
  const byItems = within(minPoints, mode === 'add' ? sum : maxPoints - sum, maxPoints);
  return within(0, byItems + selection.adjustment, maxPoints);
}

export const within = (least: number, value: number, most: number): number =>
  Math.min(Math.max(value, least), most);

/** The first two items of one group that are both selected; undefined when the selection is possible. */
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
