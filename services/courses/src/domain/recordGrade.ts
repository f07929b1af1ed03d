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

/** Puts a grade into the gradebook. One that is older than what is there changes nothing. */
export async function recordGrade(
  { grades, userProjection, log }: GradeDependencies,
  grade: Grade,
  transaction: Transaction,
): Promise<void> {
  await grades.put(grade, transaction);
  await grades.addToGradebook(grade, transaction);
  // Whoever has a grade was enrolled and is known, nearly always. Else the name is fetched, which must not hold
  // up the transaction; if it fails, or we are killed, it is fetched later.
  transaction.afterCommit(() => {
    userProjection
      .ensureLoaded([grade.studentId])
      .catch((error) => log.warn({ err: error }, 'a name is fetched later'));
  });
}
