import { requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { withinCourseLimit } from '@gradeway/shared/auth/courseLimit';
import { readId } from '@gradeway/shared/http/pathId';
import type { RequestHandler } from 'express';
import type { ServiceDependencies } from '../dependencies.ts';

/** Guards of administrators' routes about the course `:course_id` or the class `:class_id`. */
export function adminGuards({
  verify,
  classes,
}: Pick<ServiceDependencies, 'verify' | 'classes'>): Record<'ofCourse' | 'ofClass', RequestHandler[]> {
  const admin = requireRoleInCourses(verify, ['admin']);
  const courseOfClass = async (id: number) => (await classes.findByIds([id]))[0]?.courseId;
  return {
    ofCourse: [admin, withinCourseLimit((req) => readId(req.params.course_id))],
    ofClass: [admin, withinCourseLimit((req) => courseOfClass(readId(req.params.class_id)))],
  };
}
