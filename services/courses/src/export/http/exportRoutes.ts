import { principalOf } from '@gradeway/shared/auth/authenticate';
import { notFound } from '@gradeway/shared/errors/appError';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import type { RouteDependencies, ServiceDependencies } from '../../dependencies.ts';
import { adminGuards } from '../../http/adminGuards.ts';
import type { ExportDependencies } from '../dependencies.ts';
import { recordExport } from '../domain/recordExport.ts';
import { archiveQuery } from './schemas.ts';
import { sendSubmissionsArchive } from './sendSubmissionsArchive.ts';

type ExportRouteDependencies = RouteDependencies &
  Pick<ServiceDependencies, 'courses' | 'classes' | 'sequelize' | 'audit'>;

/** Serves all submitted files of a course as a ZIP archive to administrators. */
export function exportRoutes(
  dependencies: ExportRouteDependencies,
  { submissions }: ExportDependencies,
): Router {
  const { clock, courses, sequelize, audit, requireReauthentication } = dependencies;
  const router = Router();
  const { ofCourse } = adminGuards(dependencies);

  router.get('/api/v3/admin/courses/:course_id/submissions.zip', ...ofCourse, async (req, res) => {
    const courseId = readId(req.params.course_id);
    if (!(await courses.find(courseId))) throw notFound();
    const options = parseInput(archiveQuery, req.query);
    await requireReauthentication(principalOf(res));
    const record = () => recordExport({ sequelize, audit }, 'archive.exported', courseId);
    await sendSubmissionsArchive(req, res, { submissions, clock, record }, { courseId, ...options });
  });

  return router;
}
