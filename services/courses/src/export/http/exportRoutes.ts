import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { notFound } from '@gradeway/shared/errors/appError';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import type { RouteDependencies, ServiceDependencies } from '../../dependencies.ts';
import type { ExportDependencies } from '../dependencies.ts';
import { recordExport } from '../domain/recordExport.ts';
import { archiveQuery } from './schemas.ts';
import { sendSubmissionsArchive } from './sendSubmissionsArchive.ts';

type ExportRouteDependencies = RouteDependencies &
  Pick<ServiceDependencies, 'courses' | 'sequelize' | 'audit'>;

/** Serves all submitted files of a course as a ZIP archive to administrators. */
export function exportRoutes(
  { verify, clock, courses, sequelize, audit, requireReauthentication }: ExportRouteDependencies,
  { submissions }: ExportDependencies,
): Router {
  const router = Router();
  const admin = requireRole(verify, ['admin']);

  router.get('/api/v3/admin/courses/:course_id/submissions.zip', admin, async (req, res) => {
    const courseId = readId(req.params.course_id);
    if (!(await courses.find(courseId))) throw notFound();
    const options = parseInput(archiveQuery, req.query);
    await requireReauthentication(principalOf(res));
    const record = () => recordExport({ sequelize, audit }, 'archive.exported', courseId);
    await sendSubmissionsArchive(req, res, { submissions, clock, record }, { courseId, ...options });
  });

  return router;
}
