import type { Request, RequestHandler } from 'express';
import { type AppError, notFound } from '../errors/appError.ts';
import type { Principal } from './accessToken.ts';
import { principalOf } from './authenticate.ts';

type Limited = Pick<Principal, 'courseIds'>;

/** Whether a token gives access to a course. It may still lack the rights. */
export const mayUseCourse = ({ courseIds }: Limited, courseId: number): boolean =>
  courseIds === null || courseIds.has(courseId);

/** The courses that a list for a token is limited to; undefined for all courses. */
export const limitOf = ({ courseIds }: Limited): number[] | undefined =>
  courseIds === null ? undefined : [...courseIds];

/**
 * Requires that the limit of the token admits a request. It comes before the request is parsed and reads nothing for a token
 * without a limit. `refusal` creates the error for a record that does not exist.
 */
export function withinLimit(
  isAdmitted: (req: Request, courseIds: ReadonlySet<number>) => Promise<boolean> | boolean,
  refusal: () => AppError = notFound,
): RequestHandler {
  return async (req, res, next) => {
    const { courseIds } = principalOf(res);
    if (courseIds !== null && !(await isAdmitted(req, courseIds))) throw refusal();
    next();
  };
}

/**
 * Requires that the token gives access to the course that a request is about, like {@link withinLimit}.
 * @param courseOf returns undefined if the path names nothing
 */
export const withinCourseLimit = (
  courseOf: (req: Request) => Promise<number | undefined> | number,
  refusal?: () => AppError,
): RequestHandler =>
  withinLimit(async (req, courseIds) => {
    const courseId = await courseOf(req);
    return courseId !== undefined && courseIds.has(courseId);
  }, refusal);

/** Narrows the courses of a list, undefined for all, to the one that a request names. */
export const narrowedTo = (
  courseIds: number[] | undefined,
  courseId: number | undefined,
): number[] | undefined => {
  if (courseId === undefined) return courseIds;
  return !courseIds || courseIds.includes(courseId) ? [courseId] : [];
};
