/** The part of a grader's annotation that is drawn. Already validated (shared/src/grading/annotation.ts). */
export interface Mark {
  fileId: number;
  /** Page number from 1. */
  page: number;
  kind: 'pen' | 'highlight' | 'text' | 'check' | 'cross' | 'point';
  /** x, y, width and height in points of the stored page: unrotated, from the lower left of its MediaBox. */
  rect: readonly [number, number, number, number];
  /** The path of a pen, in the coordinates of `rect`. */
  points?: readonly (readonly [number, number])[] | null;
  text?: string | null;
  /** `#rrggbb` */
  color?: string | null;
  /** The rubric item whose points are shown beside the mark. */
  itemId?: number | null;
}

/** A line of a rubric. Decimals are strings, so that they are shown unchanged. */
export interface RubricLine {
  id: number;
  points: string;
  text: string;
  explanation?: string | null;
  group?: string | null;
  selected: boolean;
}

/** A question on the last page. */
export interface QuestionSummary {
  label: string;
  title?: string | null;
  /** Null if the submission was graded as a whole or is ungraded. */
  points: string | null;
  maxPoints: string;
  /** The selected items, with a minus sign if they deduct points. */
  items: readonly { text: string; points: string }[];
  comment?: string | null;
}

/** The content of the last page. */
export interface GradeSummary {
  /** Title of the quiz or the class. */
  title: string;
  student?: string | null;
  /** null until graded. */
  grade: { points: string; total: string } | null;
  rubric?: { mode: 'add' | 'subtract'; lines: readonly RubricLine[]; adjustment?: string | null } | null;
  questions?: readonly QuestionSummary[];
  comment?: string | null;
}

/** Returns the points of a rubric item with their sign: minus in `subtract` mode. */
export function signedPoints(points: string, mode: 'add' | 'subtract'): string {
  const isZero = /^[-+]?0*(\.0*)?$/.test(points);
  return isZero ? '0' : `${mode === 'add' ? '+' : '\u2212'}${shortDecimal(points)}`;
}

/** Removes trailing zeros from a decimal: `2.5000` becomes `2.5`. */
export const shortDecimal = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
