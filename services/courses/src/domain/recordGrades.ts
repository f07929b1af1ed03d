import { findErasedWithGrades } from '@gradeway/shared/personalData/erasedPeople';
import type { Logger } from '@gradeway/shared/process/logger';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { Sequelize, Transaction } from 'sequelize';
import type { GradeRepository } from '../data/gradeRepository.ts';
import type { Grade, WithdrawnGrade } from './grade.ts';

export interface GradeDependencies {
  sequelize: Sequelize;
  grades: GradeRepository;
  userProjection: UserProjection;
  log: Logger;
}

/**
 * Records grades in the gradebook, or that they were withdrawn. A revision older than the recorded one is ignored, as is a grade of
 * a person who was erased with their grades.
 */
export async function recordGrades(
  { sequelize, grades, userProjection, log }: GradeDependencies,
  given: (Grade | WithdrawnGrade)[],
  transaction: Transaction,
): Promise<void> {
  const studentIds = [...new Set(given.map(({ studentId }) => studentId))];
  // Events may have been on their way when a student was erased.
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
