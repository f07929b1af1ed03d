import type { Transaction } from 'sequelize';
import { batches } from '../../database/batches.ts';
import type { GradedItem } from '../../grading/queuedItem.ts';
import { regrade } from '../../grading/regrade.ts';
import { answersByRubric } from '../answersByRubric.ts';
import { closeReviewsOfQuestions } from '../reviews/closeReviewsOfQuestions.ts';
import type { OutlineChange, ResizedQuestion } from './outlineChange.ts';
import type { OutlineDependencies } from './outlineDependencies.ts';

/** The numbers of submissions whose grade has changed, and of submissions that are no longer graded. */
export interface EffectOnAnswers {
  regraded: number;
  ungraded: number;
}

interface By {
  userId: number;
  at: Date;
}

type Item = Pick<GradedItem, 'id' | 'order'>;

// Each submission gets an answer to each new question, with an entry in several indexes.
const answersPerStatement = 5_000;

/**
 * Adds answers to new questions, regrades answers to questions whose maximum has changed, and deletes the answers to
 * removed questions. Then gives every submission the grade that its answers determine.
 * @param save writes the outline, and returns the ids of new questions
 */
export async function changeAnswers(
  dependencies: OutlineDependencies,
  item: Item,
  { removed, resized }: OutlineChange,
  save: () => Promise<number[]>,
  by: By,
  transaction: Transaction,
): Promise<EffectOnAnswers> {
  const { outlines, outlined, questionRubrics, answerWriter, outbox } = dependencies;
  const ids = await outlined.ids(item.id, transaction);
  await answerWriter.lockSubmissions(ids, transaction);

  const added = await save();
  // Before any answers are deleted, because they show whether a submission is graded as a whole.
  const perStatement = Math.max(1, Math.floor(answersPerStatement / Math.max(1, added.length)));
  if (added.length > 0)
    for (const batch of batches(ids, perStatement)) await outlined.addAnswers(batch, added, transaction);

  for (const question of resized) await resize(dependencies, item, question, by.userId, transaction);

  const removedIds = removed.map(({ id }) => id);
  if (removedIds.length > 0) {
    // First, so that deleting answers does not have to decrement the use counts of rubric items.
    for (const id of removedIds) await questionRubrics.delete(id, transaction);
    for (const batch of batches(ids)) await outlined.removeAnswers(batch, removedIds, by, transaction);
    const events = await closeReviewsOfQuestions(dependencies, item.id, removedIds, by.userId, transaction);
    await outbox.addAll(events, transaction);
    await outlines.remove(item.id, removedIds, transaction);
  }
  return settleAll(dependencies, ids, by, transaction);
}

/** Gives a question's rubric the new maximum, and regrades its answers. */
async function resize(
  dependencies: OutlineDependencies,
  item: Item,
  { id, rubric }: ResizedQuestion,
  userId: number,
  transaction: Transaction,
): Promise<void> {
  if (!rubric) return;
  const rubricRevision = await dependencies.questionRubrics.save(id, rubric, transaction);
  const answers = answersByRubric(dependencies, item, id);
  const work = { ...answers, write: answers.writeOnly };
  await regrade(work, rubric, transaction, { rubricRevision, userId });
}

async function settleAll(
  { settler, outbox }: OutlineDependencies,
  ids: number[],
  { userId, at }: By,
  transaction: Transaction,
): Promise<EffectOnAnswers> {
  const effect: EffectOnAnswers = { regraded: 0, ungraded: 0 };
  for (const batch of batches(ids)) {
    const { changes, events } = await settler.settle(batch, userId, at, transaction);
    await outbox.addAll(events, transaction);
    for (const { to } of changes) effect[to === null ? 'ungraded' : 'regraded'] += 1;
  }
  return effect;
}
