import type { Rubric } from '../queue/gradingTypes.ts';

// Points have at most four decimals, so sums are exact in integers of ten-thousandths.
const scale = 10_000;
const within = (min: number, value: number, max: number) => Math.min(Math.max(value, min), max);

/** Computes the points of a selection as the service does, so that a grader sees them before saving. */
export function selectionPoints(
  { mode, max_points, min_points, items }: Rubric,
  selection: readonly number[],
  adjustment: number,
): number {
  const [max, min] = [Math.round(max_points * scale), Math.round(min_points * scale)];
  const sum = items
    .filter(({ id }) => selection.includes(id))
    .reduce((points, item) => points + Math.round(item.points * scale), 0);
  const byItems = within(min, mode === 'add' ? sum : max - sum, max);
  return within(0, byItems + Math.round(adjustment * scale), max) / scale;
}

/** The rating of homework: points rounded half up and clamped to the range 1 to 10. */
export const ratingOf = (points: number): number => within(1, Math.floor(points + 0.5), 10);

interface Choice {
  selection: number[];
  noneApplies: boolean;
}

/** Returns the choice after an item was selected or deselected. */
export const withToggled = (rubric: Rubric, { selection }: Choice, id: number): Choice => ({
  selection: toggled(rubric, selection, id),
  noneApplies: false,
});

/** Returns the choice after "no item applies" was selected or deselected. */
export const withNone = ({ selection, noneApplies }: Choice): Choice =>
  noneApplies ? { selection, noneApplies: false } : { selection: [], noneApplies: true };

/** Returns the selection after an item was toggled. At most one item per group stays selected. */
export function toggled({ items }: Rubric, selection: readonly number[], id: number): number[] {
  if (selection.includes(id)) return selection.filter((each) => each !== id);
  const group = items.find((item) => item.id === id)?.group ?? null;
  const others = new Set(
    group === null ? [] : items.filter((item) => item.group === group).map((item) => item.id),
  );
  const kept = [...selection.filter((each) => !others.has(each)), id];
  return items.map((item) => item.id).filter((each) => kept.includes(each));
}
