import type { Rubric } from '../queue/gradingTypes.ts';

/** Returns the signed points of each rubric item, for marks linked to one. */
export function itemPointsOf(rubric: Pick<Rubric, 'mode' | 'items'> | null): ReadonlyMap<number, string> {
  const sign = rubric?.mode === 'subtract' ? '−' : '+';
  return new Map(rubric?.items.map(({ id, points }) => [id, points === 0 ? '0' : `${sign}${points}`]));
}
