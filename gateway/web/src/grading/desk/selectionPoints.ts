import type { Rubric } from '../queue/gradingTypes.ts';

// Points have at most four decimals: as integers of ten-thousandths, sums are exact.
const scale = 10_000;
const within = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);

/** The points of a selection, as the service computes them, so that a grader sees them before saving. */
export function selectionPoints(
  { mode, max_points, min_points, items }: Rubric,
  selection: readonly number[],
  adjustment: number,
): number {
  const [most, least] = [Math.round(max_points * scale), Math.round(min_points * scale)];
  const sum = items
    .filter(({ id }) => selection.includes(id))
    .reduce((points, item) => points + Math.round(item.points * scale), 0);
  const byItems = within(least, mode === 'add' ? sum : most - sum, most);
  return within(0, byItems + Math.round(adjustment * scale), most) / scale;
}

/** The rating of homework: points rounded half up, from 1 to 10. */
export const ratingOf = (points: number): number => within(1, Math.floor(points + 0.5), 10);

interface Choice {
  selection: number[];
  noneApplies: boolean;
}

/** The choice after an item was chosen or left. */
export const withToggled = (rubric: Rubric, { selection }: Choice, id: number): Choice => ({
  selection: toggled(rubric, selection, id),
  noneApplies: false,
});

/** The choice after "no item applies" was chosen or left. */
export const withNone = ({ selection, noneApplies }: Choice): Choice =>
  noneApplies ? { selection, noneApplies: false } : { selection: [], noneApplies: true };

/** The selection after an item was chosen or left; of a group at most one stays. */
export function toggled({ items }: Rubric, selection: readonly number[], id: number): number[] {
  if (selection.includes(id)) return selection.filter((each) => each !== id);
  const group = items.find((item) => item.id === id)?.group ?? null;
  const others = new Set(
    group === null ? [] : items.filter((item) => item.group === group).map((item) => item.id),
  );
  const kept = [...selection.filter((each) => !others.has(each)), id];
  return items.map((item) => item.id).filter((each) => kept.includes(each));
}
