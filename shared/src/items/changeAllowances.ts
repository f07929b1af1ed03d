import type { Sequelize, Transaction } from 'sequelize';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { changesOf, withheldChange } from '../audit/changesOf.ts';
import { inTransaction } from '../database/connection.ts';
import { invalid, notFound } from '../errors/appError.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import type { Outbox } from '../events/outbox.ts';
import type { GradedKind } from '../grading/gradedKind.ts';
import { findErasedAmong } from '../personalData/erasedPeople.ts';
import type { UserProjection } from '../projections/userProjection.ts';
import type { AllowanceRepository, ItemOfAllowances, StoredAllowance } from './allowanceRepository.ts';
import type { GivenAllowance } from './allowanceSchema.ts';
import { allowanceChanged } from './itemEvents.ts';

interface Dependencies {
  sequelize: Sequelize;
  kind: Pick<GradedKind, 'service' | 'audit'>;
  allowances: AllowanceRepository;
  userProjection: UserProjection;
  outbox: Outbox;
  audit: EventAuditTrail;
  enrolledUsers(courseId: number, userIds: number[]): Promise<number[]>;
}

/**
 * Stores the allowances of students for an item, replacing earlier ones. Stores either all of them or none. Returns how
 * many changed.
 * @throws AppError `invalid` for a student who is not enrolled in the course
 */
export async function setAllowances(
  dependencies: Dependencies,
  item: ItemOfAllowances,
  given: GivenAllowance[],
  callerId: number,
): Promise<number> {
  const { sequelize, allowances, userProjection, enrolledUsers } = dependencies;
  const studentIds = given.map(({ studentId }) => studentId);
  const enrolled = new Set(await enrolledUsers(item.courseId, studentIds));
  requireStudents(studentIds.every((id) => enrolled.has(id)));
  await userProjection.ensureLoaded([...studentIds, callerId]);

  return inTransaction(sequelize, async (transaction) => {
    const erased = await findErasedAmong(sequelize, studentIds, transaction);
    requireStudents(erased.size === 0);
    const locked = await lockItem(allowances, item, transaction);
    const earlier = await allowances.ofStudents(item.id, studentIds, transaction);
    const earlierOf = new Map(earlier.map((each) => [each.studentId, each]));
    const changed = given.filter((each) => isChange(earlierOf.get(each.studentId), each));
    const stored = await allowances.save(item.id, changed, callerId, transaction);
    const events = stored.flatMap((each) =>
      eventsOf(dependencies, locked, earlierOf.get(each.studentId), each),
    );
    await dependencies.outbox.addAll(events, transaction);
    return stored.length;
  });
}

/** Removes the allowance of a student for an item, if there is one. */
export async function removeAllowance(
  dependencies: Dependencies,
  item: ItemOfAllowances,
  studentId: number,
  callerId: number,
): Promise<void> {
  const { sequelize, allowances } = dependencies;
  await inTransaction(sequelize, async (transaction) => {
    const locked = await lockItem(allowances, item, transaction);
    const [before] = await allowances.ofStudents(item.id, [studentId], transaction);
    const removed = await allowances.remove(item.id, studentId, callerId, transaction);
    if (!removed) return;
    await dependencies.outbox.addAll(eventsOf(dependencies, locked, before, removed), transaction);
  });
}

function requireStudents(areStudents: boolean): void {
  if (!areStudents) throw invalid({ student_id: ['The selected student id is invalid.'] });
}

/** Locks the item of the request, which is in the same course as when the caller's permission was checked. */
async function lockItem(
  allowances: AllowanceRepository,
  { id, courseId }: ItemOfAllowances,
  transaction: Transaction,
): Promise<ItemOfAllowances> {
  const locked = await allowances.lockItem(id, transaction);
  if (locked?.courseId !== courseId) throw notFound();
  return locked;
}

const properties = ['closesAt', 'extraMinutes', 'excused'] as const;

const isChange = (before: StoredAllowance | undefined, given: GivenAllowance): boolean =>
  before === undefined ||
  before.isRemoved ||
  before.note !== given.note ||
  changesOf<GivenAllowance>(before, given, properties) !== null;

function eventsOf(
  { kind, audit }: Pick<Dependencies, 'kind' | 'audit'>,
  { id: itemId, courseId }: ItemOfAllowances,
  stored: StoredAllowance | undefined,
  after: StoredAllowance,
): CloudEvent[] {
  const before = stored && !stored.isRemoved ? stored : null;
  const changes = {
    ...changesOf<GivenAllowance>(before, after.isRemoved ? null : after, properties),
    ...withheldChange('note', before?.note ?? null, after.note),
  };
  const audited = audit.eventOf({
    action: after.isRemoved ? 'allowance.removed' : 'allowance.changed',
    object: { type: kind.audit.allowance, id: `${itemId}/${after.studentId}` },
    changes: Object.keys(changes).length > 0 ? changes : null,
  });
  return [allowanceChanged(kind.service, { itemId, courseId, ...after }), audited];
}
