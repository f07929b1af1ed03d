import { notFound } from '@gradeway/shared/appError';
import { requireRole } from '@gradeway/shared/authenticate';
import { readId } from '@gradeway/shared/pathId';
import { Router } from 'express';
import type { Parts } from './parts.ts';
import { sendSubmissions } from './sendSubmissions.ts';

/** `GET /api/v3/admin/courses/{course_id}/submissions.zip`: all files of a course, for administrators. */
export function adminExportRoutes(parts: Parts): Router {
  const router = Router();
  const admin = requireRole(parts.verify, ['admin']);

  router.get('/api/v3/admin/courses/:course_id/submissions.zip', admin, async (req, res) => {
    const courseId = readId(req.params.course_id);
    if (!(await parts.courses.find(courseId))) throw notFound();
    await sendSubmissions(req, res, parts, courseId);
  });

  return router;
}
