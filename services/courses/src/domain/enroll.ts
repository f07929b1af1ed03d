import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { UserProjection } from '@gradeway/shared/projections/userProjection';
import type { Sequelize } from 'sequelize';
import type { AuthClient } from '../clients/authClient.ts';
import type { CourseRepository } from '../data/courseRepository.ts';
import type { EnrollmentRepository } from '../data/enrollmentRepository.ts';
import { enrollmentChanged } from '../events/enrollmentEvents.ts';
import type { Enrollment } from './enrollment.ts';

interface Dependencies {
  sequelize: Sequelize;
  courses: CourseRepository;
  enrollments: EnrollmentRepository;
  userProjection: UserProjection;
  auth: AuthClient;
  outbox: Outbox;
}

type Wanted = Pick<Enrollment, 'courseId' | 'userId' | 'paid'>;

/**
 * Enrolls an account in a course, or says anew whether it has paid. Of simultaneous calls for the same enrollment
 * each waits for the one before; one that finds everything as it wants it changes nothing.
 */
export async function enroll(dependencies: Dependencies, wanted: Wanted): Promise<Enrollment> {
  const { sequelize, courses, enrollments, userProjection, auth, outbox } = dependencies;
  const { courseId, userId, paid } = wanted;
  if (!(await courses.find(courseId))) throw notFound();
  const account = await auth.findUser(userId);
  if (!account) throw notFound();

  return inTransaction(sequelize, async (transaction) => {
    // Auth's answer is as good as its event, and more: from here on the account's events wait for this transaction,
    // so that an account deleted meanwhile is either found deleted now or has this enrollment ended with the others.
    await userProjection.eventHandlers['user.changed.v1'](account, transaction);
    if (await enrollments.isAccountDeleted(userId, transaction)) throw notFound();

    const before = await enrollments.lockOrCreate({ courseId, userId }, transaction);
    if (before.isEnrolled && before.paid === paid) return before;
    const enrollment = await enrollments.update(before, { isEnrolled: true, paid }, transaction);
    await outbox.add(enrollmentChanged(enrollment), transaction);
    // Last: whoever else enrolls in the course waits for it.
    if (!before.isEnrolled) await courses.addStudents([courseId], 1, transaction);
    return enrollment;
  });
}
