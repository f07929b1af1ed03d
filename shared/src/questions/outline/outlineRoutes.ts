import { type RequestHandler, type Response, Router } from 'express';
import { principalOf } from '../../auth/authenticate.ts';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import { changedMeanwhile, orPreconditionFailed, requireIfMatch } from '../../grading/preconditions.ts';
import { rubricQuery } from '../../grading/rubricSchema.ts';
import { parseBody } from '../../grading/schemas.ts';
import { largeJsonBody } from '../../http/jsonBody.ts';
import { parseInput } from '../../http/validation.ts';
import { itemOfPath, requireTeachersItem } from '../../items/itemOfPath.ts';
import type { CountedOutline } from '../outlineRepository.ts';
import { outlineTag } from '../question.ts';
import { changeOutline, planOutlineChange } from './changeOutline.ts';
import { outlineSchema } from './outlineSchema.ts';
import { requireRegionsInSheet } from './regionsInSheet.ts';
import { serializeOutline, serializeOutlineEffect } from './serializeOutline.ts';

/** The questions of an item. */
export function outlineRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, outlines } = dependencies;
  const path = `/api/v3/grading/${kind.name}/:item_id/questions`;
  const router = Router();

  router.get(path, grader, async (req, res) => {
    const { id } = await itemOfPath(dependencies, req, res);
    sendOutline(res, id, await outlines.find(id));
  });

  router.put(path, grader, largeJsonBody, async (req, res) => {
    const item = await requireTeachersItem(dependencies, req, res);
    const expected = requireIfMatch(req);
    const { isDryRun } = parseInput(rubricQuery, req.query);
    const given = parseBody(outlineSchema, req.body);
    const { userId } = principalOf(res);
    await requireRegionsInSheet(dependencies, item.id, given, userId);
    if (isDryRun) {
      const planned = planOutlineChange(dependencies, item, given, expected);
      res.json({ data: serializeOutlineEffect(await orPresent(item.id, planned)) });
      return;
    }
    const changed = changeOutline(dependencies, item, given, userId, expected);
    sendOutline(res, item.id, await orPresent(item.id, changed));
  });

  const orPresent = <Result>(itemId: number, work: Promise<Result>): Promise<Result> =>
    orPreconditionFailed(work, async (present: CountedOutline) =>
      changedMeanwhile({ data: serializeOutline(present), tag: outlineTag(itemId, present) }),
    );

  function sendOutline(res: Response, itemId: number, outline: CountedOutline): void {
    res.set('ETag', outlineTag(itemId, outline)).json({ data: serializeOutline(outline) });
  }

  return router;
}
