import { invalid } from '../../errors/appError.ts';
import type { Points } from '../../grading/points.ts';
import type { Rubric } from '../../grading/rubric.ts';
import type { CountedOutline, CountedQuestion } from '../outlineRepository.ts';
import type { GivenOutline } from './outlineSchema.ts';

/** A question that keeps its answers and gets a different maximum. */
export interface ResizedQuestion {
  id: number;
  label: string;
  maxPoints: Points;
  /** The rubric with the new maximum. */
  rubric: Rubric | null;
}

/** The effect of an outline change on the answers. */
export interface OutlineChange {
  removed: CountedQuestion[];
  resized: ResizedQuestion[];
  /** The number of new questions. */
  added: number;
}

/** Whether a change can affect grades. Changes to labels, titles, regions and the order cannot. */
export const concernsGrades = ({ removed, resized, added }: OutlineChange): boolean =>
  removed.length + resized.length + added > 0;

/**
 * Compares an outline with the current one.
 * @throws AppError `invalid` for an unknown question, or a maximum below the minimum of its rubric
 */
export function outlineChange(before: CountedOutline, { questions: given }: GivenOutline): OutlineChange {
  const known = new Map(before.questions.map((question) => [question.id, question]));
  const errors: string[] = [];
  const resized = given.flatMap(({ id, label, maxPoints }): ResizedQuestion[] => {
    if (id === null) return [];
    const question = known.get(id);
    known.delete(id);
    if (!question) errors.push(`The question ${id} is not in the outline, or was removed.`);
    if (!question || question.maxPoints === maxPoints) return [];
    const { rubric } = question;
    if (rubric && rubric.minPoints > maxPoints)
      errors.push(`The max points of ${label} may not be less than the min points of its rubric.`);
    return [{ id, label, maxPoints, rubric: rubric && { ...rubric, maxPoints } }];
  });
  if (errors.length > 0) throw invalid({ questions: errors });
  return { removed: [...known.values()], resized, added: given.filter(({ id }) => id === null).length };
}
