import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { notFound, reauthenticationRequired } from '@gradeway/shared/errors/appError';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import type { AuthClient } from '../../clients/authClient.ts';
import type { Dependencies, RouteDependencies } from '../../http/dependencies.ts';
import type { ExportDependencies } from '../dependencies.ts';
import { recordExport } from '../domain/recordExport.ts';
import { archiveQuery } from './schemas.ts';
import { sendSubmissionsArchive } from './sendSubmissionsArchive.ts';

interface ExportRouteDependencies
  extends RouteDependencies,
    Pick<Dependencies, 'courses' | 'sequelize' | 'audit'> {
  auth: AuthClient;
  /** Whether an export needs a session that re-authenticated (`REAUTHENTICATION`). */
  requiresReauthentication: boolean;
}

/** All submitted files of a course as a ZIP archive, for administrators. */
export function exportRoutes(
  { verify, clock, courses, sequelize, audit, auth, requiresReauthentication }: ExportRouteDependencies,
  { submissions }: ExportDependencies,
): Router {
  const router = Router();
  const admin = requireRole(verify, ['admin']);

  router.get('/api/v3/admin/courses/:course_id/submissions.zip', admin, async (req, res) => {
    const courseId = readId(req.params.course_id);
    if (!(await courses.find(courseId))) throw notFound();
    const { annotated } = parseInput(archiveQuery, req.query);
    if (requiresReauthentication && !(await auth.isReauthenticated(principalOf(res).sessionId)))
      throw reauthenticationRequired();
    const record = () => recordExport({ sequelize, audit }, 'archive.exported', courseId);
    await sendSubmissionsArchive(req, res, { submissions, clock, record }, { courseId, annotated });
  });

  return router;
}
