import { type RequestHandler, Router } from 'express';
import { principalOf } from '../auth/authenticate.ts';
import { notFound } from '../errors/appError.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import { parseBody } from '../grading/schemas.ts';
import { jsonBody, largeJsonBody } from '../http/jsonBody.ts';
import { linkedList, longPage, readPage } from '../http/pagination.ts';
import { readId } from '../http/pathId.ts';
import { formatUtc } from '../http/timestamps.ts';
import { parseInput } from '../http/validation.ts';
import { deletedUserName } from '../projections/deletedUserName.ts';
import type { ListedAllowance } from './allowanceRepository.ts';
import { allowanceSchema, allowancesSchema } from './allowanceSchema.ts';
import { requireNames } from './anonymity.ts';
import { removeAllowance, setAllowances } from './changeAllowances.ts';
import { itemOfPath, requireTeachersItem } from './itemOfPath.ts';

/** The allowances of individual students for an item: a different closing time, extra minutes, or an excuse. */
export function allowanceRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, allowances, publicUrl } = dependencies;
  const path = `/api/v3/grading/${kind.name}/:item_id/allowances`;
  const router = Router();

  router.get(path, grader, async (req, res) => {
    const { role, ...item } = await itemOfPath(dependencies, req, res);
    requireNames(item, role);
    const page = readPage(req.query, longPage);
    const { rows, total } = await allowances.page(item.id, page);
    res.json(linkedList({ url: publicUrl.of(req), page, items: rows.map(serializeAllowance), total }));
  });

  router.post(path, grader, largeJsonBody, async (req, res) => {
    const item = await requireTeachersItem(dependencies, req, res);
    const given = parseBody(allowancesSchema, req.body);
    const changed = await setAllowances(dependencies, item, given, principalOf(res).userId);
    res.json({ data: { changed } });
  });

  router.put(`${path}/:student_id`, grader, jsonBody, async (req, res) => {
    const item = await requireTeachersItem(dependencies, req, res);
    const studentId = readId(req.params.student_id);
    const given = { studentId, ...parseInput(allowanceSchema, req.body) };
    await setAllowances(dependencies, item, [given], principalOf(res).userId);
    const stored = await allowances.find(item.id, studentId);
    // Removed by another request in the meantime.
    if (!stored) throw notFound();
    res.json({ data: serializeAllowance(stored) });
  });

  router.delete(`${path}/:student_id`, grader, async (req, res) => {
    const item = await requireTeachersItem(dependencies, req, res);
    await removeAllowance(dependencies, item, readId(req.params.student_id), principalOf(res).userId);
    res.status(204).end();
  });

  return router;
}

export const serializeAllowance = (allowance: ListedAllowance) => ({
  student: {
    id: allowance.studentId,
    name: allowance.studentName ?? deletedUserName,
    email: allowance.studentEmail ?? '',
  },
  closes_at: allowance.closesAt && formatUtc(allowance.closesAt),
  extra_minutes: allowance.extraMinutes,
  excused: allowance.excused,
  note: allowance.note,
  changed_by: { id: allowance.changedBy, name: allowance.changerName ?? deletedUserName },
  changed_at: formatUtc(allowance.changedAt),
});
