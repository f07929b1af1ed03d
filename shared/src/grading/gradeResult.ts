import { fromPoints, type Points, roundPoints } from './points.ts';
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

/** The grade of homework is a rating: whole points, from 1 to 10. */
export const ratingGrade: GradeRule = (points) => ({
  grade: within(1, roundPoints(points), 10),
  totalGrade: 10,
});

/** Returns the grade of a selection. */
export const gradeOf = (rule: GradeRule, rubric: Scale, selection: Selection): Grade =>
  rule(pointsOf(rubric, selection), rubric.maxPoints);
