import { type Request, type RequestHandler, type Response, Router } from 'express';
import { principalOf } from '../../auth/authenticate.ts';
import { invalidFile, type LineError } from '../../csv/tableFile.ts';
import { requireDryRun, tokenBody } from '../../csv/tableRequest.ts';
import { notFound } from '../../errors/appError.ts';
import { jsonBodyOrForm } from '../../http/jsonBody.ts';
import { parseInput } from '../../http/validation.ts';
import { anonymousItem } from '../../items/anonymity.ts';
import { requireTeachersItem } from '../../items/itemOfPath.ts';
import type { GraderDependencies } from '../dependencies.ts';
import { applyGradesFile } from './applyGradesFile.ts';
import type { GradesPlan } from './gradesFile.ts';
import { planGradesFile } from './planGradesFile.ts';
import { readGradesFile } from './readGradesFile.ts';

/** Grades of many submissions from a CSV file: a dry run shows what would change, and its token applies exactly that. */
export function gradesFileRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, queue, gradesFiles, receiveTable, userProjection } = dependencies;
  const path = `/api/v3/grading/${kind.name}/:item_id/grades`;
  const router = Router();

  router.post(path, grader, jsonBodyOrForm, async (req, res) => {
    const item = await requireTeachersItem(dependencies, req, res);
    // Each student's grade is secret until the release.
    if (item.isAnonymous) throw anonymousItem();
    const key = { itemId: item.id, userId: principalOf(res).userId };
    if (!req.is('multipart/form-data')) {
      const { token } = parseInput(tokenBody, req.body);
      await userProjection.ensureLoaded([key.userId]);
      const { changes, unchanged } = await applyGradesFile(dependencies, token, key);
      res.json(response({ changes, unchanged, errors: [], token: null }));
      return;
    }
    requireDryRun(req.query);
    const plan = await planUpload(req, res, item.id);
    const token = plan.errors.length === 0 ? await gradesFiles.store(key, plan) : null;
    res.json(response({ ...plan, changes: plan.changes.length, token }));
  });

  async function planUpload(req: Request, res: Response, itemId: number): Promise<GradesPlan> {
    const { userId } = principalOf(res);
    await using form = await receiveTable(req, res, { userId });
    const [upload] = form.files;
    if (!upload) throw invalidFile('The file field is required.');
    const described = await queue.describe(itemId);
    if (!described) throw notFound();
    const column = { kind: kind.service, itemId, title: described.title };
    return planGradesFile(dependencies, described, await readGradesFile(upload.path, column));
  }

  return router;
}

interface Result {
  changes: number;
  unchanged: number;
  errors: LineError[];
  /** Null if there are errors, and once the file has been applied. */
  token: string | null;
}

const response = (data: Result): { data: Result } => ({ data });
