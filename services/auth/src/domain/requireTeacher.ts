import type { Principal } from '@gradeway/shared/auth/accessToken';
import { forbidden } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../dependencies.ts';

/**
 * Requires an administrator or a teacher of at least one course.
 * @throws AppError `forbidden` for instructors who only grade, `unavailable` if courses does not respond
 */
export async function requireTeacher(
  { courses }: Pick<ServiceDependencies, 'courses'>,
  { userId, role }: Pick<Principal, 'userId' | 'role'>,
): Promise<void> {
  if (role !== 'admin' && !(await courses.isTeacher(userId))) throw forbidden();
}
