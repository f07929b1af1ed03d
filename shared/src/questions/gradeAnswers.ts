import type { Transaction } from 'sequelize';
import { changesOf, withheldChange } from '../audit/changesOf.ts';
import { batches } from '../database/batches.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import type { GivenAnswerGrading } from '../grading/gradingSchema.ts';
import { fromPoints } from '../grading/points.ts';
import type { Answer } from './answer.ts';
import type { AnswerChange, ChangedBy } from './answerWriter.ts';
import { planAnswer } from './planAnswer.ts';

export type AnswerDependencies = Pick<
  GraderDependencies,
  | 'sequelize'
  | 'idempotency'
  | 'outbox'
  | 'audit'
  | 'releases'
  | 'questionRubrics'
  | 'answers'
  | 'answerClaims'
  | 'answerWriter'
  | 'settler'
>;

/** Answers of several submissions to one question. */
export interface AnswersOfQuestion {
  itemId: number;
  questionId: number;
  submissionIds: number[];
}

interface AnswersGrading extends AnswersOfQuestion {
  given: GivenAnswerGrading;
  userId: number;
  /** Returns the answers to grade, or throws. Called after the answers are locked and the grading is known to be valid. */
  accept(answers: Answer[]): Answer[];
}

/**
 * Grades the answers of submissions to one question, and the submissions that this completes, in the caller's
 * transaction. Returns the changes to the accepted answers; submissions without an answer to the question are skipped.
 *
 * The rubric and the release of the item cannot change until the transaction ends. The locks on the submissions wait
 * for uploads, outline changes and other gradings in progress, and block later ones.
 * @throws AppError `invalid`, or ChangedMeanwhile with an answer when the rubric has a different revision
 */
export async function gradeAnswers(
  dependencies: AnswerDependencies,
  { given, userId, accept, ...answers }: AnswersGrading,
  transaction: Transaction,
): Promise<AnswerChange[]> {
  const { questionRubrics } = dependencies;
  const isByRubric = given.selection !== undefined;
  const rubric = isByRubric ? await questionRubrics.lockShared(answers.questionId, transaction) : undefined;
  const before = await lockAnswers(dependencies, answers, transaction);
  const at = new Date();
  const planned = new Map(
    before.map((answer) => [answer, planAnswer(answer, rubric, given, { userId, at })] as const),
  );
  const changes = accept(before).flatMap((answer) => {
    const change = planned.get(answer);
    return change ? [{ before: answer, change }] : [];
  });
  await writeAnswers(dependencies, changes, { userId, at, reason: 'graded' }, transaction);
  return changes.map(({ change }) => change);
}

/** Locks submissions and returns their answers to a question. */
export async function lockAnswers(
  { releases, answerWriter, answers }: AnswerDependencies,
  { itemId, questionId, submissionIds }: AnswersOfQuestion,
  transaction: Transaction,
): Promise<Answer[]> {
  await releases.lockShared(itemId, transaction);
  const ids = submissionIds.toSorted((one, other) => one - other);
  await answerWriter.lockSubmissions(ids, transaction);
  // A separate statement, because one that has waited for a lock still reads earlier versions of other rows.
  return answers.of(questionId, ids, transaction);
}

interface ChangeOfAnswer {
  before: Answer;
  change: AnswerChange;
}

/** Writes changes to answers of locked submissions with all their effects, and ends the person's claims on them. */
export async function writeAnswers(
  { outbox, audit, answerClaims, answerWriter, settler }: AnswerDependencies,
  changed: ChangeOfAnswer[],
  by: ChangedBy,
  transaction: Transaction,
): Promise<void> {
  for (const batch of batches(changed)) {
    const changes = batch.map(({ change }) => change);
    const submissionIds = changes.map(({ submissionId }) => submissionId);
    await answerWriter.write(changes, by, transaction);
    const { events } = await settler.settle(submissionIds, by.userId, by.at, transaction);
    await answerClaims.releaseAll(changes, by.userId, transaction);
    const all = [...events, ...batch.map((each) => audit.eventOf(auditedChange(each)))];
    // The event of a single grading is published at once; the events of many gradings wait for the relay.
    await (changed.length === 1 ? outbox.add(all, transaction) : outbox.addAll(all, transaction));
  }
}

function auditedChange({ before, change }: ChangeOfAnswer) {
  const { submissionId, questionId } = change;
  return {
    action: change.points === null ? ('answer.ungraded' as const) : ('answer.graded' as const),
    object: { type: 'answer' as const, id: `${submissionId}/${questionId}` },
    changes: {
      ...changesOf({ points: numberOf(before.points) }, { points: numberOf(change.points) }, ['points']),
      ...withheldChange('comment', before.comment, change.comment),
    },
  };
}

const numberOf = (points: Answer['points']) => (points === null ? null : fromPoints(points));
