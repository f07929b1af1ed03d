import { inTransaction } from '../database/connection.ts';
import { notFound } from '../errors/appError.ts';
import { ChangedMeanwhile } from '../grading/changedMeanwhile.ts';
import { isExpected } from '../grading/entityTags.ts';
import type { GradingConditions } from '../grading/gradeSubmission.ts';
import { countGrading } from '../grading/gradingMetrics.ts';
import type { GivenAnswerGrading } from '../grading/gradingSchema.ts';
import { type Answer, answerTag } from './answer.ts';
import { ungraded } from './answerWriter.ts';
import { type AnswerDependencies, gradeAnswers, lockAnswers, writeAnswers } from './gradeAnswers.ts';
import { wayOf } from './planAnswer.ts';

interface OneAnswer {
  itemId: number;
  submissionId: number;
  questionId: number;
}

interface Graded {
  /** The tag of the answer after the grading. */
  tag: string;
  /** Absent if the request repeats an earlier one. */
  answer?: Answer;
}

/**
 * Grades an answer, or changes its comment. It takes effect only on a state that the caller expects. Returns the answer after the
 * grading with its tag. A repetition returns the current answer, with the tag of the grading that it repeats.
 * @throws AppError `not_found` or `invalid`, or ChangedMeanwhile with the current answer
 */
export async function gradeAnswer(
  dependencies: AnswerDependencies,
  one: OneAnswer,
  given: GivenAnswerGrading,
  userId: number,
  { expected, key }: GradingConditions,
): Promise<{ tag: string; answer: Answer }> {
  const { sequelize, idempotency, answers } = dependencies;
  const { submissionId, questionId } = one;
  const accept = (found: Answer[]) => found.filter((answer) => requireExpected(answer, expected));
  const grading = { ...one, submissionIds: [submissionId], given, userId, accept };
  const graded = await idempotency.once<Graded>(key, async () => {
    const answer = await inTransaction(sequelize, async (transaction) => {
      await gradeAnswers(dependencies, grading, transaction);
      const after = await answers.find(submissionId, questionId, transaction);
      if (!after) throw notFound();
      await idempotency.recordResult(key, { tag: answerTag(after) }, transaction);
      return after;
    });
    countGrading(wayOf(given));
    return { tag: answerTag(answer), answer };
  });
  const answer = graded.answer ?? (await answers.find(submissionId, questionId));
  if (!answer) throw notFound();
  return { tag: graded.tag, answer };
}

/**
 * Makes an answer ungraded again. An answer without points does not change.
 * @throws AppError `not_found`, or ChangedMeanwhile with the current answer
 */
export async function ungradeAnswer(
  dependencies: AnswerDependencies,
  { itemId, submissionId, questionId }: OneAnswer,
  userId: number,
  expected: string[] | 'any',
): Promise<void> {
  const isUndone = await inTransaction(dependencies.sequelize, async (transaction) => {
    const locked = { itemId, questionId, submissionIds: [submissionId] };
    const [before] = await lockAnswers(dependencies, locked, transaction);
    if (!before) throw notFound();
    requireExpected(before, expected);
    if (before.points === null) return false;
    const change = { submissionId, questionId, ...ungraded, isChanged: true };
    const by = { userId, at: new Date(), reason: 'removed' as const };
    await writeAnswers(dependencies, [{ before, change }], by, transaction);
    return true;
  });
  if (isUndone) countGrading('undone');
}

function requireExpected(answer: Answer, expected: string[] | 'any'): true {
  if (!isExpected(expected, answerTag(answer))) throw new ChangedMeanwhile(answer);
  return true;
}
