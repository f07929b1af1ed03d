import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid, notFound, unavailable } from '@gradeway/shared/errors/appError';
import type { UserState } from '@gradeway/shared/events/catalog';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { instructorAssigned } from '../events/instructorEvents.ts';
import { auditInstructor } from './auditInstructor.ts';
import type { Instructor } from './instructor.ts';

type Dependencies = Pick<TeachingDependencies, 'instructors'> &
  Pick<ServiceDependencies, 'sequelize' | 'courses' | 'userProjection' | 'auth' | 'outbox' | 'audit'>;

type Key = Pick<Instructor, 'courseId' | 'userId'>;

// Another attempt is needed only if the account changes between auth's response and the transaction.
const maxAttempts = 3;

/**
 * Assigns an account with the role `instructor` to a course. Has no effect if the account is already assigned.
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

/** Returns false when auth's response is older than an applied event, which may have changed the role. */
async function assign(
  { instructors, userProjection, outbox, audit }: Dependencies,
  key: Key,
  account: UserState,
  transaction: Transaction,
): Promise<boolean> {
  // Applied like an event of auth, the response locks the user's row until this transaction ends (see
  // domain/enroll.ts). A concurrent change of the role, or a deletion, is therefore either visible here, or waits and
  // removes the instructor.
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
