import type { Logger } from '@gradeway/shared/logger';
import type { People } from '@gradeway/shared/people';
import type { Transaction } from 'sequelize';
import type { GradeRepository } from '../data/gradeRepository.ts';
import type { Grade } from './grade.ts';

export interface GradeParts {
  grades: GradeRepository;
  people: People;
  log: Logger;
}

/** Puts a grade into the gradebook. One that is older than what is there changes nothing. */
export async function recordGrade(
  { grades, people, log }: GradeParts,
  grade: Grade,
  transaction: Transaction,
): Promise<void> {
  await grades.put(grade, transaction);
  await grades.addToGradebook(grade, transaction);
  // Whoever has a grade was enrolled and is known, nearly always. Else the name is fetched, which must not hold
  // up the transaction; if it fails, or we are killed, it is fetched later.
  transaction.afterCommit(() => {
    people.learn([grade.studentId]).catch((error) => log.warn({ err: error }, 'a name is fetched later'));
  });
}
