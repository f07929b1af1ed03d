import { findErased } from '@gradeway/shared/personalData/erasedPeople';
import type { Logger } from '@gradeway/shared/process/logger';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { Sequelize, Transaction } from 'sequelize';
import type { GradeRepository } from '../data/gradeRepository.ts';
import type { Grade } from './grade.ts';

export interface GradeDependencies {
  sequelize: Sequelize;
  grades: GradeRepository;
  userProjection: UserProjection;
  log: Logger;
}

/**
 * Records a grade in the gradebook. A revision older than the recorded one is ignored, as is a grade of a person who was
 * erased with their grades.
 */
export async function recordGrade(
  { sequelize, grades, userProjection, log }: GradeDependencies,
  grade: Grade,
  transaction: Transaction,
): Promise<void> {
  // The event may have been on its way when the student was erased.
  if ((await findErased(sequelize, grade.studentId, transaction))?.keepsGrades === false) return;
  await grades.upsert(grade, transaction);
  await grades.addToGradebook(grade, transaction);
  // Nearly every student's name is known from the enrollment. Otherwise it is fetched after the commit, so that a
  // call to auth does not prolong the transaction; after a failure or a crash, the projection's own job fetches it.
  transaction.afterCommit(() => {
    userProjection
      .ensureLoaded([grade.studentId])
      .catch((error) => log.warn({ err: error }, 'could not fetch user names; will retry'));
  });
}
