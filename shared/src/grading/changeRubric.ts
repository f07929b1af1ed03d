import { type Sequelize, Transaction } from 'sequelize';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { inTransaction } from '../database/connection.ts';
import { invalid, notFound } from '../errors/appError.ts';
import type { ReleaseRepository } from '../items/releaseRepository.ts';
import { auditRubric } from './auditRubric.ts';
import { ChangedMeanwhile } from './changedMeanwhile.ts';
import { isExpected, rubricTag } from './entityTags.ts';
import { countRegraded } from './gradingMetrics.ts';
import type { QueueOrder } from './queueOrder.ts';
import { type RegradeDependencies, type Regrading, type RubricOfSelections, regrade } from './regrade.ts';
import type { CountedRubric, RubricRepository } from './rubricRepository.ts';
import type { GivenRubric } from './schemas.ts';

export interface RubricDependencies extends RegradeDependencies {
  sequelize: Sequelize;
  rubrics: RubricRepository;
  releases: ReleaseRepository;
  audit: EventAuditTrail;
}

/** The state of the rubric that the caller expects: no rubric yet, or one with an expected tag. */
export type RubricCondition = { isNew: true } | { isNew: false; expected: string[] | 'any' };

/**
 * Creates or changes the rubric of an item and regrades every submission whose points it changes, in one transaction. Returns
 * the rubric.
 *
 * The lock on the rubric waits for gradings with it that are in progress and blocks new ones, which then find another
 * revision. Gradings without the rubric clear the selection of a submission; the locks on the submissions wait for and
 * block those. The lock on the item keeps the visibility of its grades consistent with the events.
 * @throws ChangedMeanwhile when the rubric is in another state
 */
export async function changeRubric(
  dependencies: RubricDependencies,
  itemId: number,
  given: GivenRubric,
  userId: number,
  condition: RubricCondition,
): Promise<CountedRubric> {
  const { sequelize, rubrics, regrades, releases, audit, kind } = dependencies;
  const { rubric, regraded } = await inTransaction(sequelize, async (transaction) => {
    const before = await rubrics.lock(itemId, transaction);
    requireState(itemId, before, condition);
    const selectable = selectableItems(before, given);
    await releases.lockShared(itemId, transaction);
    await regrades.lockAll(itemId, transaction);
    const revision = await rubrics.save(itemId, given, transaction);
    const { regraded } = await regrade(dependencies, { itemId, order: 'arrival' }, selectable, transaction, {
      revision,
      userId,
    });
    const after = { ...given, revision };
    await auditRubric(audit, { type: kind.audit.item, id: itemId }, { before, after, regraded }, transaction);
    const rubric = await rubrics.find(itemId, transaction);
    if (!rubric) throw new Error(`rubric ${itemId} disappeared while it was locked`);
    return { rubric, regraded };
  });
  countRegraded(regraded);
  return rubric;
}

/** Returns the effect that {@link changeRubric} would have, under the same conditions. */
export function planRubricChange(
  dependencies: RubricDependencies,
  { id: itemId, order }: { id: number; order: QueueOrder },
  given: GivenRubric,
  condition: RubricCondition,
): Promise<Regrading> {
  const { sequelize, rubrics } = dependencies;
  // All statements read one snapshot, without locks.
  const options = { isolationLevel: Transaction.ISOLATION_LEVELS.REPEATABLE_READ };
  return sequelize.transaction(options, async (transaction) => {
    const before = await rubrics.find(itemId, transaction);
    requireState(itemId, before, condition);
    return regrade(dependencies, { itemId, order }, selectableItems(before, given), transaction);
  });
}

/**
 * Deletes the rubric of an item and clears all selections. Grades remain.
 * @throws ChangedMeanwhile when the rubric is in another state
 */
export function deleteRubric(
  dependencies: RubricDependencies,
  itemId: number,
  expected: string[] | 'any',
): Promise<void> {
  const { sequelize, rubrics, regrades, audit, kind } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const before = await rubrics.lock(itemId, transaction);
    if (!before) throw notFound();
    requireState(itemId, before, { isNew: false, expected });
    await regrades.lockAll(itemId, transaction);
    await rubrics.delete(itemId, transaction);
    await regrades.dropSelections(itemId, transaction);
    const deleted = { before, after: null, regraded: 0 };
    await auditRubric(audit, { type: kind.audit.item, id: itemId }, deleted, transaction);
  });
}

function requireState(itemId: number, before: CountedRubric | undefined, condition: RubricCondition): void {
  const isAccepted = condition.isNew
    ? !before
    : before !== undefined && isExpected(condition.expected, rubricTag(itemId, before));
  if (!isAccepted) throw new ChangedMeanwhile(before ?? null);
}

/** Returns the items of the new rubric that graders may have selected. @throws AppError `invalid` for an unknown id */
function selectableItems(before: CountedRubric | undefined, given: GivenRubric): RubricOfSelections {
  const known = new Set(before?.items.map(({ id }) => id));
  const items = given.items.flatMap(({ id, ...item }) => (id === null ? [] : [{ id, ...item }]));
  const unknown = items.filter(({ id }) => !known.has(id));
  if (unknown.length > 0)
    throw invalid({ items: unknown.map(({ id }) => `The item ${id} is not in the rubric, or was removed.`) });
  return { ...given, items };
}
