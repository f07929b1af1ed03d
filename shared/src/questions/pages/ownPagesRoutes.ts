import { Router } from 'express';
import { principalOf, requireRole } from '../../auth/authenticate.ts';
import { AppError } from '../../errors/appError.ts';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import type { Detail } from '../../grading/detailRepository.ts';
import { parseBody } from '../../grading/schemas.ts';
import { jsonBody } from '../../http/jsonBody.ts';
import { receivedAt } from '../../http/receiptTime.ts';
import { areGradesVisible } from '../../items/item.ts';
import { ownSubmission, ownSubmissionPath } from '../ownSubmission.ts';
import { changePages } from './changePages.ts';
import { pagesSchema } from './pagesSchema.ts';
import { serializePages } from './serializePages.ts';

/** How long after the end of their time students may still set the pages of their answers. */
export const pagesGraceMs = 15 * 60_000;

interface Window {
  /**
   * Checks, using the student's own times, that the student may still set the pages of a submission's answers.
   * @throws AppError `forbidden`
   */
  requireWithinPagesWindow(
    submission: Pick<Detail, 'id' | 'itemId' | 'studentId' | 'submittedBy'>,
    at: Date,
  ): Promise<void>;
}

/** `PUT …/submissions/{id}/pages`: students set the pages of their answers until they see a grade. */
export function ownPagesRoutes(dependencies: GraderDependencies, window: Window): Router {
  const student = requireRole(dependencies.verify, ['user']);
  const router = Router();

  router.put(`${ownSubmissionPath(dependencies.kind)}/:id/pages`, student, jsonBody, async (req, res) => {
    const own = await ownSubmission(dependencies, req, res);
    const given = parseBody(pagesSchema, req.body);
    await window.requireWithinPagesWindow(own, new Date(receivedAt(res)));
    const answers = await changePages(dependencies, own, given, principalOf(res).userId, requireUngraded);
    res.json({ data: { pages: serializePages(answers) } });
  });

  return router;
}

// The response must not reveal a hidden grade.
function requireUngraded(present: Detail): void {
  if (present.grade !== null && areGradesVisible(present))
    throw new AppError('conflict', 'Submission already graded', { reason: 'graded' });
}
