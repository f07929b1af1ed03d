import { Transaction } from 'sequelize';
import { changesOf } from '../../audit/changesOf.ts';
import { inTransaction } from '../../database/connection.ts';
import { AppError, invalid } from '../../errors/appError.ts';
import { ChangedMeanwhile } from '../../grading/changedMeanwhile.ts';
import { isExpected } from '../../grading/entityTags.ts';
import { countRegraded } from '../../grading/gradingMetrics.ts';
import { fromPoints } from '../../grading/points.ts';
import type { GradedItem } from '../../grading/queuedItem.ts';
import { changeEvents } from '../../items/changeEvents.ts';
import type { CountedOutline } from '../outlineRepository.ts';
import { outlineTag, totalPoints } from '../question.ts';
import { changeAnswers, type EffectOnAnswers } from './changeAnswers.ts';
import { concernsGrades, type OutlineChange, outlineChange } from './outlineChange.ts';
import type { OutlineDependencies } from './outlineDependencies.ts';
import type { GivenOutline } from './outlineSchema.ts';
import { type OutlineEffect, planOutline } from './planOutline.ts';

type Item = Pick<GradedItem, 'id' | 'order'>;

/** The state of the outline that the caller expects. */
type Expected = string[] | 'any';

/**
 * Changes the questions of an item, and with them the grades of its submissions, in one transaction. Returns the outline.
 *
 * The first lock excludes other changes of the outline and of rubrics. The locks on the rubrics and on the item wait for gradings of
 * answers, and block new ones. The lock on the outline does the same for new submissions: each is either visible to
 * this change or sees the new questions. These locks are taken only for changes that may affect grades.
 * @throws ChangedMeanwhile when the outline has changed
 */
export async function changeOutline(
  dependencies: OutlineDependencies,
  item: Item,
  given: GivenOutline,
  userId: number,
  expected: Expected,
): Promise<CountedOutline> {
  const { sequelize, outlines } = dependencies;
  const { outline, regraded } = await inTransaction(sequelize, async (transaction) => {
    await outlines.lockEditors(item.id, transaction);
    const before = await outlines.find(item.id, transaction);
    const change = await requireAccepted(dependencies, item.id, before, given, expected, transaction);
    const save = () => outlines.save(item.id, given.questions, transaction);
    let effect: EffectOnAnswers = { regraded: 0, ungraded: 0 };
    if (concernsGrades(change)) {
      await lockGrades(dependencies, item.id, change, transaction);
      await requireRoom(dependencies, change, transaction);
      const by = { userId, at: new Date() };
      effect = await changeAnswers(dependencies, item, change, save, by, transaction);
      await changeTotal(dependencies, item.id, given, transaction);
    } else await save();
    const outline = await outlines.find(item.id, transaction);
    await record(dependencies, item.id, before, outline, effect, transaction);
    return { outline, regraded: effect.regraded };
  });
  countRegraded(regraded);
  return outline;
}

/** Returns the effect that {@link changeOutline} would have, under the same conditions. */
export function planOutlineChange(
  dependencies: OutlineDependencies,
  { id: itemId, order }: Item,
  given: GivenOutline,
  expected: Expected,
): Promise<OutlineEffect> {
  const { sequelize, outlines, outlined, kind } = dependencies;
  // All statements read one snapshot, without locks.
  const options = { isolationLevel: Transaction.ISOLATION_LEVELS.REPEATABLE_READ };
  return sequelize.transaction(options, async (transaction) => {
    const before = await outlines.find(itemId, transaction);
    const change = await requireAccepted(dependencies, itemId, before, given, expected, transaction);
    await requireRoom(dependencies, change, transaction);
    const planned = { change, total: totalPoints(given.questions), rule: kind.rule };
    return planOutline(planned, (last, limit) =>
      outlined.gradedAfter({ itemId, order }, last, limit, transaction),
    );
  });
}

async function requireAccepted(
  { rubrics }: Pick<OutlineDependencies, 'rubrics'>,
  itemId: number,
  before: CountedOutline,
  given: GivenOutline,
  expected: Expected,
  transaction: Transaction,
): Promise<OutlineChange> {
  if (!isExpected(expected, outlineTag(itemId, before))) throw new ChangedMeanwhile(before);
  const change = outlineChange(before, given);
  if (given.questions.length > 0 && (await rubrics.find(itemId, transaction)))
    throw new AppError('conflict', 'The item has a rubric', { reason: 'has_rubric' });
  return change;
}

async function lockGrades(
  { questionRubrics, releases, outlines }: OutlineDependencies,
  itemId: number,
  { removed, resized }: OutlineChange,
  transaction: Transaction,
): Promise<void> {
  const ids = [...removed, ...resized].map(({ id }) => id).toSorted((one, other) => one - other);
  for (const id of ids) await questionRubrics.lock(id, transaction);
  await releases.lock(itemId, transaction);
  await outlines.lock(itemId, transaction);
}

/** @throws AppError `invalid` if an answer has more points than its question is now worth */
async function requireRoom(
  { outlined }: Pick<OutlineDependencies, 'outlined'>,
  { resized }: OutlineChange,
  transaction: Transaction,
): Promise<void> {
  const errors: string[] = [];
  for (const { id, label, maxPoints } of resized)
    if (await outlined.hasPointsAbove(id, maxPoints, transaction))
      errors.push(`The max points of ${label} may not be less than points that were given without a rubric.`);
  if (errors.length > 0) throw invalid({ questions: errors });
}

/** Sets the total of a quiz to the total of its questions, in its settings and for the gradebook. */
async function changeTotal(
  { kind, releases, outbox }: OutlineDependencies,
  itemId: number,
  { questions }: GivenOutline,
  transaction: Transaction,
): Promise<void> {
  if (kind.fixedTotal !== undefined || questions.length === 0) return;
  const totalGrade = fromPoints(totalPoints(questions));
  const before = await releases.lock(itemId, transaction);
  if (!before || before.totalGrade === totalGrade) return;
  await releases.saveTotal(itemId, totalGrade, transaction);
  const after = { ...before, totalGrade, revision: before.revision + 1 };
  await outbox.add(changeEvents(kind.service, before, after), transaction);
}

async function record(
  { audit, kind }: OutlineDependencies,
  itemId: number,
  before: CountedOutline,
  after: CountedOutline,
  effect: EffectOnAnswers,
  transaction: Transaction,
): Promise<void> {
  const properties = ['revision', 'questions', 'totalPoints', 'regraded', 'ungraded'] as const;
  const none = { regraded: 0, ungraded: 0 };
  const changes = changesOf(summaryOf(before, none), summaryOf(after, effect), properties);
  const object = { type: kind.audit.item, id: itemId };
  await audit.record({ action: 'questions.changed', object, changes }, transaction);
}

const summaryOf = ({ revision, questions }: CountedOutline, effect: EffectOnAnswers) => ({
  revision,
  questions: questions.map(({ label, maxPoints }) => `${label}: ${fromPoints(maxPoints)}`),
  totalPoints: fromPoints(totalPoints(questions)),
  ...effect,
});
