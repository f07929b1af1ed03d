import { principalOf, requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { withinCourseLimit } from '@gradeway/shared/auth/courseLimit';
import { inTransaction } from '@gradeway/shared/database/connection';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import { readId } from '@gradeway/shared/http/pathId';
import { Router } from 'express';
import { homeworkNotFound } from '../domain/homework.ts';
import type { Dependencies } from './dependencies.ts';
import { sendArchive } from './sendArchive.ts';

/** `GET /api/v3/assignments/download/{submission_id}`: all files of a submission, for administrators and its student (D22). */
export function downloadRoutes(dependencies: Dependencies): Router {
  const { verify, submissionQueries, grading, files, sequelize, audit } = dependencies;
  const router = Router();
  const reader = [
    requireRoleInCourses(verify, ['admin', 'user'], unauthenticated),
    withinCourseLimit(
      async (req) => (await grading.details.itemOf(readId(req.params.submission_id)))?.courseId,
      homeworkNotFound,
    ),
  ];

  router.get('/api/v3/assignments/download/:submission_id', ...reader, async (req, res) => {
    const { role, userId } = principalOf(res);
    const id = readId(req.params.submission_id);
    const submission = await submissionQueries.find(id);
    // Responds as for another student's submission, so that students cannot find out which ids exist.
    if (role !== 'admin' && submission?.studentId !== userId) throw unauthenticated('not the owner');
    const [first, ...others] = submission ? await submissionQueries.currentFiles(id) : [];
    if (!submission || !first) throw homeworkNotFound();
    // Downloads by students of their own work are not audited.
    if (role === 'admin' && req.method !== 'HEAD')
      await inTransaction(sequelize, (transaction) =>
        audit.record(
          { action: 'submission.exported', object: { type: 'homework_submission', id } },
          transaction,
        ),
      );
    const archive = { name: `submission-${id}.zip`, time: submission.submittedAt };
    await sendArchive(req, res, files, { ...archive, files: [first, ...others] });
  });

  return router;
}
