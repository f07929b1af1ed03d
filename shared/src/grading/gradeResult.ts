import { fromPoints, type Points } from './points.ts';
import { pointsOf, type Scale, type Selection, within } from './rubric.ts';

/** A grade with its total, as in responses and events. */
export interface Grade {
  grade: number;
  totalGrade: number;
}

/** How points become a grade. */
export type GradeRule = (points: Points, maxPoints: Points) => Grade;

/** The grade of a quiz is its points. */
export const pointsGrade: GradeRule = (points, maxPoints) => ({
  grade: fromPoints(points),
  totalGrade: fromPoints(maxPoints),
});

/**
 * The grade of a homework is a rating from 1 to 10: the share of the maximum in tenths, rounded half up. Both numbers
 * are integers, so an exact half is recognized.
 */
export const ratingGrade: GradeRule = (points, maxPoints) => ({
  grade: within(1, Math.floor((20 * points + maxPoints) / (2 * maxPoints)), 10),
  totalGrade: 10,
});

/** Returns the grade of a selection. */
export const gradeOf = (rule: GradeRule, rubric: Scale, selection: Selection): Grade =>
  rule(pointsOf(rubric, selection), rubric.maxPoints);
