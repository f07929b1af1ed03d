import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { Router } from 'express';
import type { ServiceDependencies } from '../../dependencies.ts';
import { adminGuards } from '../../http/adminGuards.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { instructorHandlers } from './instructorHandlers.ts';

/** Routes for the instructors of a course, for administrators. */
export function adminInstructorRoutes(
  dependencies: ServiceDependencies,
  teaching: TeachingDependencies,
): Router {
  const router = Router();
  const { ofCourse } = adminGuards(dependencies);
  const instructors = instructorHandlers(dependencies, teaching);

  router.get('/api/v3/admin/courses/:course_id/instructors', ...ofCourse, instructors.list);
  router.put(
    '/api/v3/admin/courses/:course_id/instructors/:user_id',
    ...ofCourse,
    jsonBody,
    instructors.assign,
  );
  router.delete('/api/v3/admin/courses/:course_id/instructors/:user_id', ...ofCourse, instructors.remove);

  return router;
}
