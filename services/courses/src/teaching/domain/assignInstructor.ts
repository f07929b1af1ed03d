import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid, notFound, unavailable } from '@gradeway/shared/errors/appError';
import type { UserState } from '@gradeway/shared/events/catalog';
import type { CourseRole } from '@gradeway/shared/teaching/teachingClient';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { instructorAssigned } from '../events/instructorEvents.ts';
import { auditInstructor } from './auditInstructor.ts';
import { type Grader, gradesEveryCourse } from './grader.ts';
import type { Instructor } from './instructor.ts';
import { requireAnotherTeacher } from './requireAnotherTeacher.ts';

type Dependencies = Pick<TeachingDependencies, 'instructors'> &
  Pick<ServiceDependencies, 'sequelize' | 'courses' | 'userProjection' | 'auth' | 'outbox' | 'audit'>;

interface Assignment extends Pick<Instructor, 'courseId' | 'userId'> {
  /** Reads the requested role from the body, after the course and the account are known to exist. */
  readRole(): CourseRole | undefined;
  by: Grader;
}

// Another attempt is needed only if the account changes between auth's response and the transaction.
const maxAttempts = 3;

/**
 * Assigns an account with the role `instructor` to a course, or changes its role there, and returns that role. Without a
 * requested role, a new instructor becomes a teacher, and an assigned one keeps the role.
 * @throws AppError `not_found` for an unknown course or account, `invalid` for an account with another role, `conflict` when a
 * teacher makes the last teacher a grader
 */
export async function assignInstructor(
  dependencies: Dependencies,
  assignment: Assignment,
): Promise<CourseRole> {
  const { sequelize, courses, auth } = dependencies;
  if (!(await courses.find(assignment.courseId))) throw notFound();
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const account = await auth.findUser(assignment.userId);
    if (!account) throw notFound();
    const role = assignment.readRole();
    if (account.role !== 'instructor') throw invalid({ user_id: ['The user must be an instructor.'] });
    const assigned = await inTransaction(sequelize, (transaction) =>
      assign(dependencies, { ...assignment, role, account }, transaction),
    );
    if (assigned) return assigned;
  }
  throw unavailable('the account changes with every attempt to assign it');
}

/** Returns undefined if auth's response is older than an applied event, which may have changed the account's role. */
async function assign(
  { instructors, userProjection, outbox, audit }: Dependencies,
  { courseId, userId, role, account, by }: Assignment & { role: CourseRole | undefined; account: UserState },
  transaction: Transaction,
): Promise<CourseRole | undefined> {
  // Applied like an event of auth, the response locks the user's row until this transaction ends (see
  // domain/enroll.ts). A concurrent change of the role, or a deletion, is therefore either visible here, or waits and
  // removes the instructor.
  await userProjection.applyChanges([account], transaction);
  const known = await instructors.accountState(userId, transaction);
  if (known?.isDeleted) throw notFound();
  if (known && known.revision > account.revision) return undefined;

  const key = { courseId, userId };
  if (role === 'grader' && !gradesEveryCourse(by)) await requireAnotherTeacher(instructors, key, transaction);
  const { before, after } = await instructors.assign(key, role, account.revision, transaction);
  if (before?.role === after.role) return after.role;
  await outbox.add(instructorAssigned(after), transaction);
  await auditInstructor(audit, 'instructor.assigned', { before, after }, transaction);
  return after.role;
}
