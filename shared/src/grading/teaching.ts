import type { Principal } from '../auth/accessToken.ts';
import { limitOf, mayUseCourse } from '../auth/courseLimit.ts';
import { forbidden, notFound } from '../errors/appError.ts';
import type { CourseRole } from '../teaching/teachingClient.ts';

/** Teaching assignments, looked up in courses for each call. The calls throw AppError `unavailable` when it is unreachable. */
export interface Teaching {
  /** The role of a user in an existing course; undefined for a user who is not an instructor of it. */
  roleIn(userId: number, courseId: number): Promise<CourseRole | undefined>;
  /** The ids of the existing courses that a user is an instructor of. */
  taughtCourses(userId: number): Promise<number[]>;
}

type Caller = Pick<Principal, 'userId' | 'role' | 'courseIds'>;

/**
 * Requires that the caller may grade in a course, and returns their role in it: administrators are teachers of every
 * course; instructors have their assigned role in their own courses. For others, and for a token that is limited to
 * other courses, the course does not exist.
 * @throws AppError `not_found`
 */
export async function requireGrader(
  teaching: Teaching,
  caller: Caller,
  courseId: number,
): Promise<CourseRole> {
  if (!mayUseCourse(caller, courseId)) throw notFound();
  if (caller.role === 'admin') return 'teacher';
  const courseRole = await teaching.roleIn(caller.userId, courseId);
  if (!courseRole) throw notFound();
  return courseRole;
}

/**
 * Requires that the caller runs a course: administrators run every course, teachers their own.
 * @throws AppError `not_found` for a course that the caller does not teach, `forbidden` for a grader
 */
export async function requireTeacher(teaching: Teaching, caller: Caller, courseId: number): Promise<void> {
  if ((await requireGrader(teaching, caller, courseId)) !== 'teacher') throw forbidden();
}

/** Returns the courses that the caller grades, within the limit of the token; undefined for all courses. */
export async function coursesOfGrader(teaching: Teaching, caller: Caller): Promise<number[] | undefined> {
  if (caller.role === 'admin') return limitOf(caller);
  const taught = await teaching.taughtCourses(caller.userId);
  return taught.filter((courseId) => mayUseCourse(caller, courseId));
}
