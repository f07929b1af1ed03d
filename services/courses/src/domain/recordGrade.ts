import type { Logger } from '@gradeway/shared/process/logger';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { Transaction } from 'sequelize';
import type { GradeRepository } from '../data/gradeRepository.ts';
import type { Grade } from './grade.ts';

export interface GradeDependencies {
  grades: GradeRepository;
  userProjection: UserProjection;
  log: Logger;
}

/** Records a grade in the gradebook. A revision older than the recorded one is ignored. */
export async function recordGrade(
  { grades, userProjection, log }: GradeDependencies,
  grade: Grade,
  transaction: Transaction,
): Promise<void> {
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
