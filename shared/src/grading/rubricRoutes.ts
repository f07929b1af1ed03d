import { type Request, type RequestHandler, type Response, Router } from 'express';
import { principalOf } from '../auth/authenticate.ts';
import { forbidden, notFound } from '../errors/appError.ts';
import { largeJsonBody } from '../http/jsonBody.ts';
import { parseInput } from '../http/validation.ts';
import { itemOfPath } from '../items/itemOfPath.ts';
import { changeRubric, deleteRubric, planRubricChange } from './changeRubric.ts';
import type { GraderDependencies } from './dependencies.ts';
import { rubricTag } from './entityTags.ts';
import { requireItem } from './itemRoutes.ts';
import {
  changedMeanwhile,
  orPreconditionFailed,
  requireIfMatch,
  requireRubricCondition,
} from './preconditions.ts';
import type { GradedItem } from './queuedItem.ts';
import type { CountedRubric } from './rubricRepository.ts';
import { parseBody, rubricQuery, rubricSchema } from './schemas.ts';
import { serializeRegrading, serializeRubric } from './serializers.ts';

/** The rubric of an item. */
export function rubricRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, rubrics } = dependencies;
  const path = `/api/v3/grading/${kind.name}/:item_id/rubric`;
  const schema = rubricSchema(kind.fixedTotal);
  const router = Router();

  router.get(path, grader, async (req, res) => {
    const itemId = await requireItem(dependencies, req, res);
    const rubric = await rubrics.find(itemId);
    if (!rubric) throw notFound();
    sendRubric(res, itemId, rubric);
  });

  router.put(path, grader, largeJsonBody, async (req, res) => {
    const item = await requireRubricEditor(req, res);
    const condition = requireRubricCondition(req);
    const { isDryRun } = parseInput(rubricQuery, req.query);
    const given = parseBody(schema, req.body);
    if (isDryRun) {
      const planned = planRubricChange(dependencies, item, given, condition);
      res.json({ data: serializeRegrading(await orPresent(item.id, planned)) });
      return;
    }
    const { userId } = principalOf(res);
    const changed = changeRubric(dependencies, item.id, given, userId, condition);
    sendRubric(res.status(condition.isNew ? 201 : 200), item.id, await orPresent(item.id, changed));
  });

  router.delete(path, grader, async (req: Request, res: Response) => {
    const { id: itemId } = await requireRubricEditor(req, res);
    if (!(await rubrics.find(itemId))) throw notFound();
    await orPresent(itemId, deleteRubric(dependencies, itemId, requireIfMatch(req)));
    res.status(204).end();
  });

  /** @throws AppError `forbidden` for a grader where only teachers change the rubric */
  async function requireRubricEditor(req: Request, res: Response): Promise<GradedItem> {
    const item = await itemOfPath(dependencies, req, res);
    if (item.role === 'grader' && !item.gradersEditRubric) throw forbidden();
    return item;
  }

  const orPresent = <Result>(itemId: number, work: Promise<Result>): Promise<Result> =>
    orPreconditionFailed(work, async (present: CountedRubric | null) =>
      changedMeanwhile(
        present ? { data: serializeRubric(present), tag: rubricTag(itemId, present) } : { data: null },
      ),
    );

  function sendRubric(res: Response, itemId: number, rubric: CountedRubric): void {
    res.set('ETag', rubricTag(itemId, rubric)).json({ data: serializeRubric(rubric) });
  }

  return router;
}
