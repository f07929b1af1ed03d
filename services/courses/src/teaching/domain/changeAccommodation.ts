import { withheldChange } from '@gradeway/shared/audit/changesOf';
import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import type { Accommodation, AccommodationProperties } from './accommodation.ts';

type Dependencies = Pick<TeachingDependencies, 'accommodations'> &
  Pick<ServiceDependencies, 'sequelize' | 'enrollments' | 'audit'>;

type Key = Pick<Accommodation, 'courseId' | 'studentId'>;

/**
 * Replaces the accommodation of a student. It applies to every attempt at once, because homework and quiz request it
 * each time.
 * @throws AppError `invalid` for a student who is not enrolled
 */
export async function changeAccommodation(
  dependencies: Dependencies,
  key: Key,
  properties: AccommodationProperties,
  changedBy: number,
): Promise<void> {
  const { sequelize, enrollments, accommodations } = dependencies;
  await inTransaction(sequelize, async (transaction) => {
    // The lock makes a concurrent erasure wait, which then deletes the accommodation too.
    const { courseId, studentId: userId } = key;
    const enrollment = await enrollments.lock({ courseId, userId }, transaction);
    if (!enrollment?.isEnrolled) throw invalid({ student_id: ['The selected student id is invalid.'] });
    const before = await accommodations.lock(key, transaction);
    if (before?.timePercent === properties.timePercent && before.note === properties.note) return;
    await accommodations.put({ ...key, ...properties, changedBy }, transaction);
    await record(dependencies, 'accommodation.changed', { key, before, after: properties }, transaction);
  });
}

/** Removes the accommodation of a student. Has no effect if there is none. */
export async function removeAccommodation(dependencies: Dependencies, key: Key): Promise<void> {
  const { sequelize, accommodations } = dependencies;
  await inTransaction(sequelize, async (transaction) => {
    const before = await accommodations.lock(key, transaction);
    if (!before) return;
    await accommodations.delete(key, transaction);
    await record(dependencies, 'accommodation.removed', { key, before, after: undefined }, transaction);
  });
}

interface Change {
  key: Key;
  before: AccommodationProperties | undefined;
  after: AccommodationProperties | undefined;
}

/** Records a change, but not the note, which may be about the student's health. */
async function record(
  { audit }: Pick<Dependencies, 'audit'>,
  action: 'accommodation.changed' | 'accommodation.removed',
  { key, before, after }: Change,
  transaction: Transaction,
): Promise<void> {
  const object = { type: 'enrollment' as const, id: `${key.courseId}/${key.studentId}` };
  const factors = [before, after].map((each) => (each ? each.timePercent / 100 : null));
  const changes = {
    ...(factors[0] === factors[1] ? {} : { time_factor: [factors[0], factors[1]] as [unknown, unknown] }),
    ...withheldChange('note', before?.note ?? null, after?.note ?? null),
  };
  await audit.record({ action, object, changes }, transaction);
}
