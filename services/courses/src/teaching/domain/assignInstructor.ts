import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid, notFound, unavailable } from '@gradeway/shared/errors/appError';
import type { UserState } from '@gradeway/shared/events/catalog';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { Sequelize, Transaction } from 'sequelize';
import type { AuthClient } from '../../clients/authClient.ts';
import type { CourseRepository } from '../../data/courseRepository.ts';
import type { InstructorRepository } from '../data/instructorRepository.ts';
import { instructorAssigned } from '../events/instructorEvents.ts';
import { auditInstructor } from './auditInstructor.ts';
import type { Instructor } from './instructor.ts';

interface Dependencies {
  sequelize: Sequelize;
  courses: CourseRepository;
  instructors: InstructorRepository;
  userProjection: UserProjection;
  auth: AuthClient;
  outbox: Outbox;
  audit: AuditTrail;
}

type Key = Pick<Instructor, 'courseId' | 'userId'>;

// A further attempt is needed only if the account changes between auth's answer and the transaction.
const maxAttempts = 3;

/**
 * Assigns an account with the role `instructor` to a course. Has no effect on a course that has them already.
 * @throws AppError `not_found` for an unknown course or account, `invalid` for an account with another role
 */
export async function assignInstructor(dependencies: Dependencies, key: Key): Promise<void> {
  const { sequelize, courses, auth } = dependencies;
  if (!(await courses.find(key.courseId))) throw notFound();
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const account = await auth.findUser(key.userId);
    if (!account) throw notFound();
    if (account.role !== 'instructor') throw invalid({ user_id: ['The user must be an instructor.'] });
    if (await inTransaction(sequelize, (transaction) => assign(dependencies, key, account, transaction)))
      return;
  }
  throw unavailable('the account changes with every attempt to assign it');
}

/** False when auth's answer is older than an event that has been applied, which may say that the role is another one. */
async function assign(
  { instructors, userProjection, outbox, audit }: Dependencies,
  key: Key,
  account: UserState,
  transaction: Transaction,
): Promise<boolean> {
  // Applied like an event of auth, the answer locks the user's row until this transaction ends (see domain/enroll.ts). A
  // concurrent event about another role, or a deletion, is therefore either visible here, or waits and removes the instructor.
  await userProjection.applyChanges([account], transaction);
  const known = await instructors.accountState(key.userId, transaction);
  if (known?.isDeleted) throw notFound();
  if (known && known.revision > account.revision) return false;

  const assigned = await instructors.assign(key, account.revision, transaction);
  if (!assigned) return true;
  await outbox.add(instructorAssigned(assigned), transaction);
  await auditInstructor(audit, 'instructor.assigned', assigned, transaction);
  return true;
}
