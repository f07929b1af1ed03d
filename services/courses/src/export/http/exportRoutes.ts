import { requireRole } from '@gradeway/shared/auth/authenticate';
import { notFound } from '@gradeway/shared/errors/appError';
import { readId } from '@gradeway/shared/http/pathId';
import { Router } from 'express';
import type { Dependencies } from '../../http/dependencies.ts';
import { sendSubmissions } from './sendSubmissionsArchive.ts';

/** `GET /api/v3/admin/courses/{course_id}/submissions.zip`: all files of a course, for administrators. */
export function adminExportRoutes(dependencies: Dependencies): Router {
  const router = Router();
  const admin = requireRole(dependencies.verify, ['admin']);

  router.get('/api/v3/admin/courses/:course_id/submissions.zip', admin, async (req, res) => {
    const courseId = readId(req.params.course_id);
    if (!(await dependencies.courses.find(courseId))) throw notFound();
    await sendSubmissions(req, res, dependencies, courseId);
  });

  return router;
}
