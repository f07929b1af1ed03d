import { type RequestHandler, Router } from 'express';
import type { GraderDependencies } from '../grading/dependencies.ts';
import { requireTeachersItem } from './itemOfPath.ts';
import { sendItem } from './itemResponse.ts';
import { releaseGrades, withholdGrades } from './releaseGrades.ts';

/** Shows the grades of an item to its students, or hides them. */
export function releaseRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const path = `/api/v3/grading/${dependencies.kind.name}/:item_id/release`;
  const router = Router();

  router.post(path, grader, async (req, res) => {
    const { id: itemId } = await requireTeachersItem(dependencies, req, res);
    await releaseGrades(dependencies, itemId);
    await sendItem(dependencies, req, res, itemId);
  });

  router.delete(path, grader, async (req, res) => {
    const { id: itemId } = await requireTeachersItem(dependencies, req, res);
    await withholdGrades(dependencies, itemId);
    await sendItem(dependencies, req, res, itemId);
  });

  return router;
}
