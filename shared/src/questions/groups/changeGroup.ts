import type { Transaction } from 'sequelize';
import { inTransaction } from '../../database/connection.ts';
import { invalid, notFound } from '../../errors/appError.ts';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import { keepOutline } from '../keepOutline.ts';
import type { AnswerGroup } from './groupRepository.ts';

type Dependencies = Pick<
  GraderDependencies,
  'sequelize' | 'kind' | 'audit' | 'outbox' | 'releases' | 'answerWriter' | 'groups' | 'outlines'
>;

interface Place {
  itemId: number;
  questionId: number;
}

interface GroupChange {
  title?: string | undefined;
  add?: number[] | undefined;
  remove?: number[] | undefined;
}

/** Groups answers to a question. @throws AppError `not_found`, or `invalid` for submissions without such an answer */
export function createGroup(
  dependencies: Dependencies,
  { itemId, questionId }: Place,
  { title, submissionIds }: { title: string; submissionIds: number[] },
): Promise<AnswerGroup> {
  const { sequelize, groups, outlines } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    await keepOutline(dependencies, itemId, transaction);
    if (!(await outlines.hasQuestion(itemId, questionId, transaction))) throw notFound();
    const id = await groups.create(questionId, title, transaction);
    await move(dependencies, { id, questionId }, { add: submissionIds }, 'submission_ids', transaction);
    return changed(dependencies, { itemId, questionId, id }, transaction);
  });
}

/** Renames a group, and moves answers into or out of it. @throws AppError as {@link createGroup} */
export function changeGroup(
  dependencies: Dependencies,
  place: Place & { id: number },
  { title, ...members }: GroupChange,
): Promise<AnswerGroup> {
  const { sequelize, groups } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    await keepOutline(dependencies, place.itemId, transaction);
    await groups.lock(place.id, transaction);
    if (!(await groups.find(place, transaction))) throw notFound();
    await move(dependencies, place, members, 'add', transaction);
    if (title !== undefined) await groups.rename(place.id, title, transaction);
    return changed(dependencies, place, transaction);
  });
}

/** Removes a group. Its answers do not change. @throws AppError `not_found` */
export function removeGroup(dependencies: Dependencies, place: Place & { id: number }): Promise<void> {
  const { sequelize, groups } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    await keepOutline(dependencies, place.itemId, transaction);
    await groups.lock(place.id, transaction);
    if (!(await groups.find(place, transaction))) throw notFound();
    const remove = await groups.members(place.id, transaction);
    await move(dependencies, place, { remove }, 'add', transaction);
    await groups.remove(place.id, transaction);
    await record(dependencies, 'answer_group.removed', place.id, {}, transaction);
  });
}

// Every change to an answer's row requires the lock on its submission (answerWriter.ts).
async function move(
  { groups, answerWriter }: Dependencies,
  group: Pick<AnswerGroup, 'id' | 'questionId'>,
  { add = [], remove = [] }: Pick<GroupChange, 'add' | 'remove'>,
  field: 'submission_ids' | 'add',
  transaction: Transaction,
): Promise<void> {
  const ids = [...new Set([...add, ...remove])].toSorted((one, other) => one - other);
  await answerWriter.lockSubmissions(ids, transaction);
  const unknown = await groups.unknown(group.questionId, add, transaction);
  if (unknown.length > 0)
    throw invalid({ [field]: [`The submission ${unknown[0]} has no answer to the question.`] });
  await groups.takeOut(group, remove, transaction);
  await groups.add(group, add, transaction);
}

async function changed(
  dependencies: Dependencies,
  place: Place & { id: number },
  transaction: Transaction,
): Promise<AnswerGroup> {
  const group = await dependencies.groups.find(place, transaction);
  if (!group) throw notFound();
  const { title, size } = group;
  await record(dependencies, 'answer_group.changed', place.id, { title, size }, transaction);
  return group;
}

async function record(
  { kind, audit, outbox }: Dependencies,
  action: 'answer_group.changed' | 'answer_group.removed',
  id: number,
  after: Partial<Pick<AnswerGroup, 'title' | 'size'>>,
  transaction: Transaction,
): Promise<void> {
  const object = { type: `${kind.service}_answer_group` as const, id };
  const changes = Object.fromEntries(
    Object.entries(after).map(([name, value]): [string, [unknown, unknown]] => [name, [null, value]]),
  );
  await outbox.add(audit.eventOf({ action, object, changes }), transaction);
}
