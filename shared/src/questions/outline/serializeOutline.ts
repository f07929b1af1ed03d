import { fromPoints } from '../../grading/points.ts';
import { serializeRegrading, serializeRubric } from '../../grading/serializers.ts';
import type { CountedOutline } from '../outlineRepository.ts';
import { totalPoints } from '../question.ts';
import type { OutlineEffect } from './planOutline.ts';

export const serializeOutline = ({ revision, questions }: CountedOutline) => ({
  revision,
  questions: questions.map(({ id, label, title, maxPoints, region, rubric, graded }, index) => ({
    ...{ id, label, title, max_points: fromPoints(maxPoints), region, position: index + 1 },
    rubric: rubric && serializeRubric(rubric),
    graded,
  })),
  total_points: fromPoints(totalPoints(questions)),
});

export const serializeOutlineEffect = ({ ungraded, ...regrading }: OutlineEffect) => ({
  ...serializeRegrading(regrading),
  ungraded,
});
