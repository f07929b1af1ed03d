import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import type { ServiceDependencies } from '../dependencies.ts';
import { endEnrollment } from '../domain/endEnrollment.ts';
import { enroll } from '../domain/enroll.ts';
import { adminGuards } from './adminGuards.ts';
import { courseLists } from './courseLists.ts';
import { enrollmentFields } from './schemas.ts';

/** Routes for a course's students, enrollments and gradebook, for administrators. */
export function adminStudentRoutes(dependencies: ServiceDependencies): Router {
  const router = Router();
  const { ofCourse } = adminGuards(dependencies);
  const { sendStudents, sendGradebook } = courseLists(dependencies);

  router.get('/api/v3/admin/courses/:course_id/students', ...ofCourse, (req, res) =>
    sendStudents(req, res, readId(req.params.course_id)),
  );

  router.put(
    '/api/v3/admin/courses/:course_id/students/:user_id',
    ...ofCourse,
    jsonBody,
    async (req, res) => {
      const courseId = readId(req.params.course_id);
      const userId = readId(req.params.user_id);
      const { paid } = parseInput(enrollmentFields, req.body);
      const enrollment = await enroll(dependencies, { courseId, userId, paid });
      res.json({ data: { course_id: courseId, user_id: userId, paid: enrollment.paid } });
    },
  );

  router.delete('/api/v3/admin/courses/:course_id/students/:user_id', ...ofCourse, async (req, res) => {
    await endEnrollment(dependencies, readId(req.params.course_id), readId(req.params.user_id));
    res.status(204).end();
  });

  router.get('/api/v3/admin/courses/:course_id/gradebook', ...ofCourse, (req, res) =>
    sendGradebook(req, res, { courseId: readId(req.params.course_id), hidesAnonymous: false }),
  );

  return router;
}
