import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { maxInteger } from '@gradeway/shared/config/maxInteger';
import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize, Transaction } from 'sequelize';
import type { CourseRepository } from '../../data/courseRepository.ts';
import type { AccountRevision, InstructorRepository } from '../data/instructorRepository.ts';
import { instructorRemoved } from '../events/instructorRemoved.ts';
import { auditInstructor } from './auditInstructor.ts';
import type { Instructor } from './instructor.ts';

interface Dependencies {
  sequelize: Sequelize;
  courses: CourseRepository;
  instructors: InstructorRepository;
  outbox: Outbox;
  audit: AuditTrail;
}

/** Removes an instructor from a course. Has no effect if the user is not an instructor of the course. */
export async function removeInstructor(
  { sequelize, courses, instructors, outbox, audit }: Dependencies,
  key: Pick<Instructor, 'courseId' | 'userId'>,
): Promise<void> {
  await inTransaction(sequelize, async (transaction) => {
    if (!(await courses.find(key.courseId, transaction))) throw notFound();
    const removed = await instructors.remove(key, transaction);
    if (!removed) return;
    await outbox.add(instructorRemoved(removed), transaction);
    await auditInstructor(audit, 'instructor.removed', removed, transaction);
  });
}

export type RemovalDependencies = Pick<Dependencies, 'instructors' | 'outbox'>;

/** Removes accounts from every course, because their role changed with these revisions of the accounts. */
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
