import type { Principal } from '../auth/accessToken.ts';
import { mayUseCourse } from '../auth/courseLimit.ts';
import { type FieldErrors, forbidden } from '../errors/appError.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import { fieldName } from '../http/validation.ts';

type Dependencies = Pick<GraderDependencies, 'teaching' | 'courseTitles'>;

/**
 * Checks a course that a request names, for example as the new course of a quiz. A course that does not exist is
 * reported in the same way as one that the caller does not teach, or that this token does not give access to.
 * @param courseId undefined for a class that does not exist
 * @returns messages for the field; undefined if the caller runs the course
 * @throws AppError `forbidden` for a grader of the course
 */
export async function targetCourseErrors(
  { teaching, courseTitles }: Dependencies,
  caller: Pick<Principal, 'userId' | 'role' | 'courseIds'>,
  field: 'course_id' | 'class_id',
  courseId: number | undefined,
): Promise<FieldErrors | undefined> {
  const isInvalid = { [field]: [`The selected ${fieldName([field])} is invalid.`] };
  if (courseId === undefined || !mayUseCourse(caller, courseId)) return isInvalid;
  if (caller.role === 'admin') return (await courseTitles([courseId])).has(courseId) ? undefined : isInvalid;
  const courseRole = await teaching.roleIn(caller.userId, courseId);
  if (courseRole === 'grader') throw forbidden();
  return courseRole ? undefined : isInvalid;
}
