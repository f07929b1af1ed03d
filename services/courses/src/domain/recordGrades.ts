import { findErasedWithGrades } from '@gradeway/shared/personalData/erasedPeople';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../dependencies.ts';
import type { Grade, WithdrawnGrade } from './grade.ts';

export type GradeDependencies = Pick<ServiceDependencies, 'sequelize' | 'grades' | 'userProjection' | 'log'>;

/**
 * Records given and withdrawn grades in the gradebook. Ignores revisions older than the recorded one, and grades of
 * people who were erased together with their grades.
 */
export async function recordGrades(
  { sequelize, grades, userProjection, log }: GradeDependencies,
  given: (Grade | WithdrawnGrade)[],
  transaction: Transaction,
): Promise<void> {
  const studentIds = [...new Set(given.map(({ studentId }) => studentId))];
  // The events may have been in flight when a student was erased.
  const erased = await findErasedWithGrades(sequelize, studentIds, transaction);
  const recorded = given.filter(({ studentId }) => !erased.has(studentId));
  await grades.record(recorded, transaction);
  // Nearly every student's name is known from the enrollment. Otherwise it is fetched after the commit, so that a
  // call to auth does not prolong the transaction; after a failure or a crash, the projection's own job fetches it.
  transaction.afterCommit(() => {
    userProjection
      .ensureLoaded(studentIds.filter((id) => !erased.has(id)))
      .catch((error) => log.warn({ err: error }, 'could not fetch user names; will retry'));
  });
}
