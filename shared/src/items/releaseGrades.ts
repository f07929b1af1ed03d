import type { Sequelize, Transaction } from 'sequelize';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { changesOf } from '../audit/changesOf.ts';
import { inTransaction } from '../database/connection.ts';
import { notFound } from '../errors/appError.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import type { Outbox } from '../events/outbox.ts';
import type { GradedKind } from '../grading/gradedKind.ts';
import { areGradesVisible } from './item.ts';
import { gradesReleasedOrWithheld, itemChanged, type PublishedItem } from './itemEvents.ts';
import type { Release, ReleaseRepository } from './releaseRepository.ts';

export interface ReleaseDependencies {
  kind: Pick<GradedKind, 'service' | 'audit'>;
  sequelize: Sequelize;
  releases: ReleaseRepository;
  outbox: Outbox;
  audit: EventAuditTrail;
}

/** The release after an item's grades are released now. Visible grades stay as they are. */
const released = (before: Release): Release =>
  areGradesVisible(before) ? before : { release: 'manual', releaseAt: null, releasedAt: new Date() };

/** The release after an item's grades are hidden, until they are released again. */
const withheld = (): Release => ({ release: 'manual', releaseAt: null, releasedAt: null });

/**
 * Shows the grades of an item to its students. Nothing happens if they see them already.
 * @throws AppError `not_found`
 */
export const releaseGrades = (dependencies: ReleaseDependencies, itemId: number): Promise<void> =>
  changeRelease(dependencies, itemId, released);

/**
 * Hides the grades of an item from its students, and cancels a scheduled release. Nothing happens if neither is needed.
 * @throws AppError `not_found`
 */
export const withholdGrades = (dependencies: ReleaseDependencies, itemId: number): Promise<void> =>
  changeRelease(dependencies, itemId, withheld);

function changeRelease(
  dependencies: ReleaseDependencies,
  itemId: number,
  change: (before: Release) => Release,
): Promise<void> {
  const { sequelize, releases } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const before = await releases.lock(itemId, transaction);
    if (!before) throw notFound();
    await save(dependencies, before, change(before), transaction);
  });
}

// An item that is released when its time comes only loses that time.
const dueRelease = (before: Release): Release => ({ ...released(before), releaseAt: null });

const itemsPerBatch = 100;

/** Releases the grades of items whose time has come, each once over all replicas. Returns whether more may be due. */
export function releaseDueGrades(dependencies: ReleaseDependencies): Promise<boolean> {
  const { sequelize, releases } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    const due = await releases.lockDue(itemsPerBatch, transaction);
    for (const before of due) await save(dependencies, before, dueRelease(before), transaction);
    return due.length === itemsPerBatch;
  });
}

async function save(
  dependencies: ReleaseDependencies,
  before: PublishedItem,
  release: Release,
  transaction: Transaction,
): Promise<void> {
  const { releases, outbox } = dependencies;
  const after = { ...before, ...release, revision: before.revision + 1 };
  const events = eventsOfRelease(dependencies, before, after);
  if (events.length === 0) return;
  await releases.save(before.id, after, transaction);
  await outbox.add([itemChanged(dependencies.kind.service, after), ...events], transaction);
}

const properties = ['release', 'releaseAt', 'releasedAt'] as const;

/** The public event of a change that students see, and its audit entry; none if nothing changes. */
function eventsOfRelease(
  { kind, audit }: Pick<ReleaseDependencies, 'kind' | 'audit'>,
  before: PublishedItem,
  after: PublishedItem,
): CloudEvent[] {
  const changes = changesOf<Release>(before, after, properties);
  if (!changes) return [];
  const isVisible = areGradesVisible(after);
  const action = isVisible ? 'grades.released' : 'grades.withheld';
  const audited = audit.eventOf({ action, object: { type: kind.audit.item, id: after.id }, changes });
  if (isVisible === areGradesVisible(before)) return [audited];
  return [gradesReleasedOrWithheld(kind.service, after), audited];
}
