import { principalOf, requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { graderRoles } from '@gradeway/shared/auth/roles';
import { notFound } from '@gradeway/shared/errors/appError';
import { readId } from '@gradeway/shared/http/pathId';
import type { Request, RequestHandler, Response } from 'express';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { requireMayGrade, requireRunsCourse } from '../domain/courseRole.ts';

/**
 * Guards of routes about the course `:course_id`. They run before the request is parsed, so that a course that the
 * caller does not teach is a 404 even if the request is invalid.
 */
export function courseGuards(
  dependencies: ServiceDependencies,
  teaching: Pick<TeachingDependencies, 'instructors'>,
): Record<'grader' | 'teacher' | 'teacherOfClass', RequestHandler[]> {
  const { classes } = dependencies;
  const all = { ...dependencies, ...teaching };
  const signedIn = requireRoleInCourses(dependencies.verify, graderRoles);

  const guard =
    (check: (req: Request, res: Response) => Promise<void>): RequestHandler =>
    async (req, res, next) => {
      await check(req, res);
      next();
    };

  return {
    /** The caller is an instructor of the course, or an administrator. */
    grader: [
      signedIn,
      guard((req, res) => requireMayGrade(all, principalOf(res), readId(req.params.course_id))),
    ],
    /** The caller is a teacher of the course, or an administrator. */
    teacher: [
      signedIn,
      guard((req, res) => requireRunsCourse(all, principalOf(res), readId(req.params.course_id))),
    ],
    /** Like `teacher`, for routes about the class `:class_id`. */
    teacherOfClass: [
      signedIn,
      guard(async (req, res) => {
        const [found] = await classes.findByIds([readId(req.params.class_id)]);
        if (!found) throw notFound();
        await requireRunsCourse(all, principalOf(res), found.courseId);
      }),
    ],
  };
}
