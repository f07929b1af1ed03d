/**
 * An exact number of points, as an integer of ten-thousandths: 0.1 + 0.2 is 0.3. Points have at most four decimals, and the sum
 * of a rubric is far below the maximum safe integer, so neither sums nor differences are ever rounded.
 */
export type Points = number;

const scale = 10_000;

/** Converts a number, or the text of a `numeric` column, with at most four decimals. */
export const toPoints = (value: number | string): Points => Math.round(Number(value) * scale);

/** Returns the number nearest to the points, which JSON writes with the same decimals. */
export const fromPoints = (points: Points): number => points / scale;
