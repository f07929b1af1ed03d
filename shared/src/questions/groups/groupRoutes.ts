import { type Request, type RequestHandler, type Response, Router } from 'express';
import { principalOf } from '../../auth/authenticate.ts';
import { notFound } from '../../errors/appError.ts';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import { answerGradingSchema } from '../../grading/gradingSchema.ts';
import { requireItem } from '../../grading/itemRoutes.ts';
import { changedMeanwhile, orPreconditionFailed, requireIfMatch } from '../../grading/preconditions.ts';
import { parseBody } from '../../grading/schemas.ts';
import { jsonBody, largeJsonBody } from '../../http/jsonBody.ts';
import { linkedList, longPage, readPage } from '../../http/pagination.ts';
import { readId } from '../../http/pathId.ts';
import { changeGroup, createGroup, removeGroup } from './changeGroup.ts';
import { gradeGroup } from './gradeGroup.ts';
import type { AnswerGroup } from './groupRepository.ts';
import { groupChangeSchema, newGroupSchema } from './groupSchemas.ts';

/** Groups of answers to a question, which are graded together. */
export function groupRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, groups, outlines, publicUrl } = dependencies;
  const path = `/api/v3/grading/${kind.name}/:item_id/questions/:question_id/groups`;
  const router = Router();

  router.get(path, grader, async (req, res) => {
    const { itemId, questionId } = await requireQuestion(req, res);
    const page = readPage(req.query, longPage);
    const { rows, total } = await groups.ofQuestion(itemId, questionId, page);
    const items = rows.map(serializeGroup);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.post(path, grader, jsonBody, async (req, res) => {
    const place = await requireQuestion(req, res);
    const group = await createGroup(dependencies, place, parseBody(newGroupSchema, req.body));
    res.status(201).json({ data: serializeGroup(group) });
  });

  router.get(`${path}/:group_id`, grader, async (req, res) => {
    const { group } = await requireGroup(req, res);
    const submissionIds = await groups.members(group.id);
    res.json({ data: { ...serializeGroup(group), submission_ids: submissionIds } });
  });

  router.patch(`${path}/:group_id`, grader, jsonBody, async (req, res) => {
    const { place } = await requireGroup(req, res);
    const group = await changeGroup(dependencies, place, parseBody(groupChangeSchema, req.body));
    res.json({ data: serializeGroup(group) });
  });

  router.delete(`${path}/:group_id`, grader, async (req: Request, res: Response) => {
    const { place } = await requireGroup(req, res);
    await removeGroup(dependencies, place);
    res.status(204).end();
  });

  router.put(`${path}/:group_id/grading`, grader, largeJsonBody, async (req, res) => {
    const { place, group } = await requireGroup(req, res);
    const expected = requireIfMatch(req);
    const given = parseBody(answerGradingSchema, req.body);
    const stale = () => changedMeanwhile({ data: serializeGroup(group) });
    // A group has no tag of its own.
    if (expected !== 'any') throw stale();
    const graded = gradeGroup(dependencies, place, given, principalOf(res).userId);
    res.json({ data: await orPreconditionFailed(graded, async () => stale()) });
  });

  async function requireQuestion(req: Request, res: Response) {
    const itemId = await requireItem(dependencies, req, res);
    const questionId = readId(req.params.question_id);
    if (!(await outlines.hasQuestion(itemId, questionId))) throw notFound();
    return { itemId, questionId };
  }

  async function requireGroup(req: Request, res: Response) {
    const itemId = await requireItem(dependencies, req, res);
    const [questionId, id] = [readId(req.params.question_id), readId(req.params.group_id)];
    const place = { itemId, questionId, id };
    const group = await groups.find(place);
    if (!group) throw notFound();
    return { place, group };
  }

  return router;
}

const serializeGroup = ({ id, questionId, title, size, graded }: AnswerGroup) => ({
  ...{ id, question_id: questionId, title, size, graded },
});
