import type { Rubric } from '../queue/gradingTypes.ts';

/** The points of each item of a rubric as they count, for the marks that explain one. */
export function itemPointsOf(rubric: Pick<Rubric, 'mode' | 'items'> | null): ReadonlyMap<number, string> {
  const sign = rubric?.mode === 'subtract' ? '−' : '+';
  return new Map(rubric?.items.map(({ id, points }) => [id, points === 0 ? '0' : `${sign}${points}`]));
}
