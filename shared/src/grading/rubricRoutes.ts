import { type Request, type RequestHandler, type Response, Router } from 'express';
import { principalOf } from '../auth/authenticate.ts';
import { forbidden, notFound } from '../errors/appError.ts';
import { largeJsonBody } from '../http/jsonBody.ts';
import { readId } from '../http/pathId.ts';
import { parseInput } from '../http/validation.ts';
import { itemOfPath } from '../items/itemOfPath.ts';
import { changeRubric, deleteRubric, planRubricChange, type RubricChange } from './changeRubric.ts';
import type { GraderDependencies } from './dependencies.ts';
import {
  changedMeanwhile,
  orPreconditionFailed,
  requireIfMatch,
  requireRubricCondition,
} from './preconditions.ts';
import { importedRubric } from './rubricImport.ts';
import type { CountedRubric } from './rubricRepository.ts';
import { exportQuery, rubricQuery, rubricSchema } from './rubricSchema.ts';
import { fixedMaxOf, itemTarget, questionTarget, type RubricTarget } from './rubricTarget.ts';
import { parseBody } from './schemas.ts';
import { exportRubric, serializeRegrading, serializeRubric } from './serializers.ts';

/** The rubrics of items and of their questions. */
export function rubricRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind } = dependencies;
  const base = `/api/v3/grading/${kind.name}/:item_id`;
  const router = Router();
  for (const path of [`${base}/rubric`, `${base}/questions/:question_id/rubric`]) addRoutes(path);

  function addRoutes(path: string): void {
    router.get(path, grader, async (req, res) => {
      const target = await targetOf(req, res, 'read');
      const { isExport } = parseInput(exportQuery, req.query);
      const rubric = await target.rubrics.find(target.id);
      if (!rubric) throw notFound();
      const data = isExport ? exportRubric(rubric) : serializeRubric(rubric);
      res.set('ETag', target.tagOf(rubric)).json({ data });
    });

    router.put(path, grader, largeJsonBody, async (req, res) => {
      const target = await targetOf(req, res, 'change');
      const condition = requireRubricCondition(req);
      const given = parseBody(rubricSchema(fixedMaxOf(target), target.isMaxOptional), req.body);
      await answerChange(req, res, target, { given, condition });
    });

    router.post(`${path}/import`, grader, largeJsonBody, async (req, res) => {
      const target = await targetOf(req, res, 'change');
      const condition = requireRubricCondition(req);
      const given = await importedRubric(dependencies, principalOf(res), target, req.body);
      await answerChange(req, res, target, { given, condition, isImport: true });
    });

    router.delete(path, grader, async (req: Request, res: Response) => {
      const target = await targetOf(req, res, 'change');
      if (!(await target.rubrics.find(target.id))) throw notFound();
      await orPresent(target, deleteRubric(dependencies, target, requireIfMatch(req)));
      res.status(204).end();
    });
  }

  /** @throws AppError `not_found`, or `forbidden` for a grader if only teachers may change the rubric */
  async function targetOf(req: Request, res: Response, access: 'read' | 'change'): Promise<RubricTarget> {
    const item = await itemOfPath(dependencies, req, res);
    if (access === 'change' && item.role === 'grader' && !item.gradersEditRubric) throw forbidden();
    const { question_id: questionId } = req.params;
    return questionId === undefined
      ? itemTarget(dependencies, item)
      : await questionTarget(dependencies, item, readId(questionId));
  }

  async function answerChange(
    req: Request,
    res: Response,
    target: RubricTarget,
    change: RubricChange,
  ): Promise<void> {
    const { isDryRun } = parseInput(rubricQuery, req.query);
    if (isDryRun) {
      const planned = planRubricChange(dependencies, target, change);
      res.json({ data: serializeRegrading(await orPresent(target, planned)) });
      return;
    }
    const { userId } = principalOf(res);
    const rubric = await orPresent(target, changeRubric(dependencies, target, change, userId));
    res.status(change.condition.isNew ? 201 : 200);
    res.set('ETag', target.tagOf(rubric)).json({ data: serializeRubric(rubric) });
  }

  const orPresent = <Result>(target: RubricTarget, work: Promise<Result>): Promise<Result> =>
    orPreconditionFailed(work, async (present: CountedRubric | null) =>
      changedMeanwhile(
        present ? { data: serializeRubric(present), tag: target.tagOf(present) } : { data: null },
      ),
    );

  return router;
}
