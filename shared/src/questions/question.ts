import type { Points } from '../grading/points.ts';

/** A question of an item, which is graded on its own. */
export interface Question {
  id: number;
  /** Unique in its item, such as `2b`. */
  label: string;
  title: string | null;
  maxPoints: Points;
  /**
   * Where it is on the question PDF. Pages count from 1. Coordinates are those of annotations: PDF points from the lower left
   * corner.
   */
  region: { page: number; rect: [x: number, y: number, width: number, height: number] } | null;
}

/** The questions of an item, in order. */
export interface Outline {
  /** Increments with each change; 0 for an item that never had questions. */
  revision: number;
  questions: Question[];
}

/** The exact total of the points of questions. */
export const totalPoints = (questions: Pick<Question, 'maxPoints'>[]): Points =>
  questions.reduce((sum, { maxPoints }) => sum + maxPoints, 0);

/** The entity tag of an outline. Does not depend on gradings, claims, or the rubrics of questions. */
export const outlineTag = (itemId: number, { revision }: Pick<Outline, 'revision'>): string =>
  `"outline-${itemId}-${revision}"`;
