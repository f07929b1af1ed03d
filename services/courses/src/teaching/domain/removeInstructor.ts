import { maxInteger } from '@gradeway/shared/config/maxInteger';
import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { instructorRemoved } from '../events/instructorEvents.ts';
import { auditInstructor } from './auditInstructor.ts';
import { type Grader, gradesEveryCourse } from './grader.ts';
import type { AccountRevision, Instructor } from './instructor.ts';
import { requireAnotherTeacher } from './requireAnotherTeacher.ts';

type Dependencies = Pick<TeachingDependencies, 'instructors'> &
  Pick<ServiceDependencies, 'sequelize' | 'courses' | 'outbox' | 'audit'>;

/**
 * Removes an instructor from a course. Has no effect if the user is not an instructor of the course.
 * @throws AppError `conflict` when a teacher removes the last teacher
 */
export async function removeInstructor(
  { sequelize, courses, instructors, outbox, audit }: Dependencies,
  key: Pick<Instructor, 'courseId' | 'userId'>,
  by: Grader,
): Promise<void> {
  await inTransaction(sequelize, async (transaction) => {
    if (!(await courses.find(key.courseId, transaction))) throw notFound();
    if (!gradesEveryCourse(by)) await requireAnotherTeacher(instructors, key, transaction);
    const removed = await instructors.remove(key, transaction);
    if (!removed) return;
    await outbox.add(instructorRemoved(removed), transaction);
    await auditInstructor(audit, 'instructor.removed', { before: removed }, transaction);
  });
}

export type RemovalDependencies = Pick<Dependencies, 'instructors' | 'outbox'>;

/** Removes accounts that are no longer instructors, as of the given revisions, from every course. */
export async function endTeaching(
  { instructors, outbox }: RemovalDependencies,
  accounts: AccountRevision[],
  transaction: Transaction,
): Promise<void> {
  const removed = await instructors.removeAll(accounts, transaction);
  await outbox.addAll(removed.map(instructorRemoved), transaction);
}

// No account reaches this revision, so a deletion ends every assignment.
const afterEveryRevision = maxInteger;

/** Removes a deleted or erased account from every course. */
export const endTeachingForGood = (
  dependencies: RemovalDependencies,
  userId: number,
  transaction: Transaction,
): Promise<void> => endTeaching(dependencies, [{ userId, revision: afterEveryRevision }], transaction);
