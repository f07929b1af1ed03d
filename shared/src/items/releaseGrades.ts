import type { Sequelize, Transaction } from 'sequelize';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { changesOf } from '../audit/changesOf.ts';
import { inTransaction } from '../database/connection.ts';
import { notFound } from '../errors/appError.ts';
import type { Outbox } from '../events/outbox.ts';
import type { GradedKind } from '../grading/gradedKind.ts';
import { changeEvents } from './changeEvents.ts';
import { areGradesVisible } from './item.ts';
import type { PublishedItem } from './itemEvents.ts';
import { type Release, releasedAtAfter } from './releasedAtAfter.ts';
import type { ReleaseRepository } from './releaseRepository.ts';

export interface ReleaseDependencies {
  kind: Pick<GradedKind, 'service' | 'audit'>;
  sequelize: Sequelize;
  releases: ReleaseRepository;
  outbox: Outbox;
  audit: EventAuditTrail;
}

/**
 * Shows the grades of an item to its students. Does nothing if they are already visible.
 * @throws AppError `not_found`
 */
export const releaseGrades = (dependencies: ReleaseDependencies, itemId: number): Promise<void> =>
  changeRelease(dependencies, itemId, (before, now) =>
    areGradesVisible(before) ? before : releasedAtAfter(before, { releaseAt: now }, now),
  );

/**
 * Hides the grades of an item from its students, and cancels a scheduled release. Does nothing if the grades are hidden
 * and no release is scheduled.
 * @throws AppError `not_found`
 */
export const withholdGrades = (dependencies: ReleaseDependencies, itemId: number): Promise<void> =>
  changeRelease(dependencies, itemId, (before, now) =>
    releasedAtAfter(before, { release: 'manual', releaseAt: null }, now),
  );

function changeRelease(
  dependencies: ReleaseDependencies,
  itemId: number,
  change: (before: Release, now: Date) => Release,
): Promise<void> {
  const { sequelize, releases } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const before = await releases.lock(itemId, transaction);
    if (!before) throw notFound();
    await save(dependencies, before, change(before, new Date()), transaction);
  });
}

const itemsPerBatch = 100;

/**
 * Releases the grades of items whose release is due, each once across all replicas. Returns whether more may be due.
 */
export async function releaseDueGrades(dependencies: ReleaseDependencies): Promise<boolean> {
  const { sequelize, releases } = dependencies;
  const now = new Date();
  if (!(await releases.isAnyDue(now))) return false;
  return inTransaction(sequelize, async (transaction) => {
    const due = await releases.lockDue(now, itemsPerBatch, transaction);
    for (const before of due) await save(dependencies, before, releasedAtAfter(before, {}, now), transaction);
    return due.length === itemsPerBatch;
  });
}

const audited = ['release', 'releaseAt', 'releasedAt', 'anonymous'] as const;

async function save(
  { kind, releases, outbox, audit }: ReleaseDependencies,
  before: PublishedItem,
  release: Release,
  transaction: Transaction,
): Promise<void> {
  const changes = changesOf<Release>(before, release, audited);
  if (!changes) return;
  const after = { ...before, ...release, revision: before.revision + 1 };
  await releases.save(after.id, after, transaction);
  const action = areGradesVisible(after) ? 'grades.released' : 'grades.withheld';
  const entry = audit.eventOf({ action, object: { type: kind.audit.item, id: after.id }, changes });
  await outbox.add([...changeEvents(kind.service, before, after), entry], transaction);
}
