import { type RequestHandler, Router } from 'express';
import { principalOf } from '../../auth/authenticate.ts';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import { parseBody } from '../../grading/schemas.ts';
import { requireGrader } from '../../grading/teaching.ts';
import { jsonBody } from '../../http/jsonBody.ts';
import { readId } from '../../http/pathId.ts';
import { changePages } from './changePages.ts';
import { pagesSchema } from './pagesSchema.ts';
import { serializePages } from './serializePages.ts';

/** `PUT …/submissions/{id}/pages`: graders set the pages of a submission's answers, at any time. */
export function pagesRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, details, teaching } = dependencies;
  const router = Router();

  router.put(`/api/v3/grading/${kind.name}/submissions/:id/pages`, grader, jsonBody, async (req, res) => {
    const { userId } = principalOf(res);
    const detail = await details.get(readId(req.params.id), userId);
    await requireGrader(teaching, principalOf(res), detail.itemCourseId);
    const given = parseBody(pagesSchema, req.body);
    const answers = await changePages(dependencies, detail, given, userId, () => {});
    res.json({ data: { pages: serializePages(answers) } });
  });

  return router;
}
