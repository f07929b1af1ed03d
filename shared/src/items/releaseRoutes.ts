import { type Request, type RequestHandler, type Response, Router } from 'express';
import { principalOf } from '../auth/authenticate.ts';
import { notFound } from '../errors/appError.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import { serializeDescribedItem } from '../grading/serializers.ts';
import { requireTeacher } from '../grading/teaching.ts';
import { readId } from '../http/pathId.ts';
import { releaseGrades, withholdGrades } from './releaseGrades.ts';

/** Shows the grades of an item to its students, or hides them. */
export function releaseRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, queue, teaching } = dependencies;
  const path = `/api/v3/grading/${kind.name}/:item_id/release`;
  const router = Router();

  router.post(path, grader, async (req, res) => {
    await releaseGrades(dependencies, await requireOwnItem(req, res));
    await sendItem(req, res);
  });

  router.delete(path, grader, async (req, res) => {
    await withholdGrades(dependencies, await requireOwnItem(req, res));
    await sendItem(req, res);
  });

  async function requireOwnItem(req: Request, res: Response): Promise<number> {
    const item = await queue.findItem(readId(req.params.item_id));
    if (!item) throw notFound();
    await requireTeacher(teaching, principalOf(res), item.courseId);
    return item.id;
  }

  async function sendItem(req: Request, res: Response): Promise<void> {
    const item = await queue.describe(readId(req.params.item_id));
    if (!item) throw notFound();
    const titles = await dependencies.courseTitles([item.courseId]);
    const data = serializeDescribedItem(item, titles.get(item.courseId) ?? null, dependencies.fileUrls(req));
    res.json({ data });
  }

  return router;
}
