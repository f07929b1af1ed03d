/** The drawn part of a grader's annotation, which was validated before (shared/src/grading/annotation.ts). */
export interface Mark {
  fileId: number;
  /** From 1. */
  page: number;
  kind: 'pen' | 'highlight' | 'text' | 'check' | 'cross' | 'point';
  /** x, y, width and height in points of the page as it is stored: unrotated, from the lower left of its MediaBox. */
  rect: readonly [number, number, number, number];
  /** The line of a pen, in the coordinates of `rect`. */
  points?: readonly (readonly [number, number])[] | null;
  text?: string | null;
  /** `#rrggbb` */
  color?: string | null;
  /** The rubric item whose points are shown beside the mark. */
  itemId?: number | null;
}

/** A line of a rubric. Decimals are text, so that they are shown as they are. */
export interface RubricLine {
  id: number;
  points: string;
  text: string;
  explanation?: string | null;
  group?: string | null;
  selected: boolean;
}

/** The content of the last page. */
export interface GradeSummary {
  /** Of the quiz or the class. */
  title: string;
  student?: string | null;
  /** null until it is graded. */
  grade: { points: string; total: string } | null;
  rubric?: { mode: 'add' | 'subtract'; lines: readonly RubricLine[]; adjustment?: string | null } | null;
  comment?: string | null;
}

/** The points of a rubric item as they count: with `subtract` they have a minus sign. */
export function signedPoints(points: string, mode: 'add' | 'subtract'): string {
  const isZero = /^[-+]?0*(\.0*)?$/.test(points);
  return isZero ? '0' : `${mode === 'add' ? '+' : '\u2212'}${shortDecimal(points)}`;
}

/** A decimal without zeros that say nothing: `2.5000` is `2.5`. */
export const shortDecimal = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
