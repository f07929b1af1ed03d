import { type Sequelize, Transaction } from 'sequelize';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { inTransaction } from '../database/connection.ts';
import { AppError, invalid, notFound } from '../errors/appError.ts';
import type { ReleaseRepository } from '../items/releaseRepository.ts';
import { auditRubric } from './auditRubric.ts';
import { ChangedMeanwhile } from './changedMeanwhile.ts';
import { isExpected } from './entityTags.ts';
import { countRegraded } from './gradingMetrics.ts';
import { type Regrading, type RubricOfSelections, regrade } from './regrade.ts';
import type { CountedRubric } from './rubricRepository.ts';
import type { GivenRubric } from './rubricSchema.ts';
import type { RubricTarget } from './rubricTarget.ts';

export interface RubricDependencies {
  sequelize: Sequelize;
  releases: ReleaseRepository;
  audit: EventAuditTrail;
}

/** The state of the rubric that the caller expects: no rubric yet, or one with an expected tag. */
export type RubricCondition = { isNew: true } | { isNew: false; expected: string[] | 'any' };

/** A rubric that is to be written. */
export interface RubricChange {
  given: GivenRubric;
  condition: RubricCondition;
  /** Whether it replaces all items, which is refused once anything has been graded with them. */
  isImport?: boolean;
}

/**
 * Creates or changes a rubric and regrades everything whose points it changes, in one transaction. Returns the rubric.
 *
 * The first lock excludes other changes of the outline and of rubrics of the item. The lock on the rubric waits for
 * gradings with it that are in progress and blocks new ones, which then find a different revision. Gradings without the
 * rubric clear the selection; the locks on the submissions wait for them and block new ones. The lock on the item keeps
 * its grades released or hidden, as the events state.
 * @throws ChangedMeanwhile when the rubric has changed
 */
export async function changeRubric(
  dependencies: RubricDependencies,
  target: RubricTarget,
  change: RubricChange,
  userId: number,
): Promise<CountedRubric> {
  const { sequelize, releases, audit } = dependencies;
  const { id, itemId, object, rubrics, work } = target;
  const { rubric, regraded } = await inTransaction(sequelize, async (transaction) => {
    const before = await target.lock(transaction);
    const selectable = await requireAccepted(target, before, change, transaction);
    await releases.lockShared(itemId, transaction);
    await work.lockAll(transaction);
    const rubricRevision = await rubrics.save(id, change.given, transaction);
    const { regraded } = await regrade(work, selectable, transaction, { rubricRevision, userId });
    const after = { ...change.given, revision: rubricRevision };
    await auditRubric(audit, object, { before, after, regraded }, transaction);
    const rubric = await rubrics.find(id, transaction);
    if (!rubric) throw new Error(`rubric ${id} disappeared while it was locked`);
    return { rubric, regraded };
  });
  countRegraded(regraded);
  return rubric;
}

/** Returns the effect that {@link changeRubric} would have, under the same conditions. */
export function planRubricChange(
  { sequelize }: RubricDependencies,
  target: RubricTarget,
  change: RubricChange,
): Promise<Regrading> {
  // All statements read one snapshot, without locks.
  const options = { isolationLevel: Transaction.ISOLATION_LEVELS.REPEATABLE_READ };
  return sequelize.transaction(options, async (transaction) => {
    const before = await target.rubrics.find(target.id, transaction);
    const selectable = await requireAccepted(target, before, change, transaction);
    return regrade(target.work, selectable, transaction);
  });
}

/**
 * Deletes a rubric and clears all selections. Grades and points remain.
 * @throws ChangedMeanwhile when the rubric has changed
 */
export function deleteRubric(
  { sequelize, audit }: RubricDependencies,
  target: RubricTarget,
  expected: string[] | 'any',
): Promise<void> {
  const { id, object, rubrics, work } = target;
  return inTransaction(sequelize, async (transaction) => {
    const before = await target.lock(transaction);
    if (!before) throw notFound();
    requireState(target, before, { isNew: false, expected });
    await work.lockAll(transaction);
    await rubrics.delete(id, transaction);
    await work.dropSelections(transaction);
    await auditRubric(audit, object, { before, after: null, regraded: 0 }, transaction);
  });
}

/** Returns the items of the new rubric that graders may have selected. @throws AppError or ChangedMeanwhile */
async function requireAccepted(
  target: RubricTarget,
  before: CountedRubric | undefined,
  { given, condition, isImport }: RubricChange,
  transaction: Transaction,
): Promise<RubricOfSelections> {
  requireState(target, before, condition);
  const selectable = selectableItems(before, given);
  await target.requireAllowed(given, before, transaction);
  if (isImport && (await target.work.after(undefined, 1, transaction)).length > 0)
    throw new AppError('conflict', 'The rubric is in use', { reason: 'rubric_in_use' });
  return selectable;
}

function requireState(
  target: RubricTarget,
  before: CountedRubric | undefined,
  condition: RubricCondition,
): void {
  const isAccepted = condition.isNew
    ? !before
    : before !== undefined && isExpected(condition.expected, target.tagOf(before));
  if (!isAccepted) throw new ChangedMeanwhile(before ?? null);
}

/** @throws AppError `invalid` for an unknown id */
function selectableItems(before: CountedRubric | undefined, given: GivenRubric): RubricOfSelections {
  const known = new Set(before?.items.map(({ id }) => id));
  const items = given.items.flatMap(({ id, ...item }) => (id === null ? [] : [{ id, ...item }]));
  const unknown = items.filter(({ id }) => !known.has(id));
  if (unknown.length > 0)
    throw invalid({ items: unknown.map(({ id }) => `The item ${id} is not in the rubric, or was removed.`) });
  return { ...given, items };
}
