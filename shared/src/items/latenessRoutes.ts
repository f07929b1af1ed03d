import { type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { principalOf } from '../auth/authenticate.ts';
import { notFound } from '../errors/appError.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import { sendDetail } from '../grading/detailResponse.ts';
import { requireTeacher } from '../grading/teaching.ts';
import { jsonBody } from '../http/jsonBody.ts';
import { readId } from '../http/pathId.ts';
import { parseInput } from '../http/validation.ts';
import { waiveLateness } from './waiveLateness.ts';

/** Body of a waiver. */
export const waiverSchema = z.object({ waived: z.boolean() });

/** `PUT …/submissions/{id}/late`: teachers waive the penalty for late work. */
export function latenessRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, details, teaching } = dependencies;
  const router = Router();

  router.put(`/api/v3/grading/${kind.name}/submissions/:id/late`, grader, jsonBody, async (req, res) => {
    const id = readId(req.params.id);
    const item = await details.itemOf(id);
    if (!item) throw notFound();
    await requireTeacher(teaching, principalOf(res), item.courseId);
    const { waived } = parseInput(waiverSchema, req.body);
    await waiveLateness(dependencies, id, waived);
    await sendDetail(dependencies, req, res, await details.get(id, principalOf(res).userId));
  });

  return router;
}
