import { type Request, type RequestHandler, type Response, Router } from 'express';
import { principalOf } from '../auth/authenticate.ts';
import { AppError, notFound } from '../errors/appError.ts';
import { readIdempotencyKey } from '../http/idempotencyKey.ts';
import { largeJsonBody } from '../http/jsonBody.ts';
import { linkedList, longPage, type Page, readPage } from '../http/pagination.ts';
import { readId } from '../http/pathId.ts';
import { parseInput } from '../http/validation.ts';
import { unknownQuestion } from '../questions/answerQueueRepository.ts';
import type { GraderDependencies } from './dependencies.ts';
import type { Detail } from './detailRepository.ts';
import { detailResponse, sendDetail } from './detailResponse.ts';
import { gradeByGrader } from './gradeByGrader.ts';
import { countClaim } from './gradingMetrics.ts';
import { gradingSchema } from './gradingSchema.ts';
import { changedMeanwhile, orPreconditionFailed, requireIfMatch } from './preconditions.ts';
import { claimQuery, historyQuery, parseBody } from './schemas.ts';
import { serializeAnswerHistoryEntry, serializeClaim, serializeHistoryEntry } from './serializers.ts';
import { requireGrader } from './teaching.ts';
import { ungradeSubmission } from './ungradeSubmission.ts';

interface Entries {
  items: object[];
  total: number;
}

/** Routes of one submission: its details, claim, grading and history. */
export function submissionRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, claims, details, history, teaching, publicUrl, userProjection } = dependencies;
  const { answers, answerClaims, answerHistory } = dependencies;
  const path = `/api/v3/grading/${kind.name}/submissions/:id`;
  const grading = gradingSchema(kind.gradeFields);
  const router = Router();

  router.get(path, grader, async (req, res) => {
    await sendDetail(dependencies, req, res, await requireDetail(req, res));
  });

  router.put(path, grader, largeJsonBody, async (req, res) => {
    const { userId } = principalOf(res);
    const seen = await withCallerName(await requireDetail(req, res), userId);
    const expected = requireIfMatch(req);
    const given = parseBody(grading, req.body);
    const key = readIdempotencyKey(req, userId, { ...given, ifMatch: req.get('if-match') });
    const graded = gradeByGrader(dependencies, seen, given, userId, { expected, key });
    const { tag, detail } = await orPresent(req, res, graded);
    const { data } = await detailResponse(dependencies, req, res, detail);
    res.set('ETag', tag).json({ data });
  });

  router.delete(`${path}/grade`, grader, async (req, res) => {
    const { userId } = principalOf(res);
    const seen = await withCallerName(await requireDetail(req, res), userId);
    const ungraded = ungradeSubmission(dependencies, seen, userId, requireIfMatch(req));
    await orPresent(req, res, ungraded);
    res.status(204).end();
  });

  router.put(`${path}/claim`, grader, async (req, res) => {
    const id = await requireSubmission(req, res);
    const { take } = parseInput(claimQuery, req.query);
    const { userId } = principalOf(res);
    await userProjection.ensureLoaded([userId]);
    const claim = (await answerClaims.claimWhole(id, userId, take)) ?? (await claims.claim(id, userId, take));
    const data = serializeClaim(claim);
    countClaim(claim.userId !== userId ? 'refused' : take ? 'taken' : 'claimed');
    if (claim.userId !== userId)
      throw new AppError('conflict', 'Claimed by another grader', { reason: 'claimed', data });
    res.json({ data });
  });

  router.delete(`${path}/claim`, grader, async (req, res) => {
    const id = await requireSubmission(req, res);
    await answerClaims.release(id, undefined, principalOf(res).userId);
    await claims.release(id, principalOf(res).userId);
    res.status(204).end();
  });

  router.get(`${path}/history`, grader, async (req, res) => {
    const id = await requireSubmission(req, res);
    const page = readPage(req.query, longPage);
    const { questionId } = parseInput(historyQuery, req.query);
    const { items, total } = await (questionId === undefined
      ? ofWhole(id, page)
      : ofAnswer(id, questionId, page));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  async function ofWhole(id: number, page: Page): Promise<Entries> {
    const { rows, total } = await history.page(id, page, 'all');
    return { items: rows.map(serializeHistoryEntry), total };
  }

  /** @throws AppError `invalid` for a question that the item never had */
  async function ofAnswer(id: number, questionId: number, page: Page): Promise<Entries> {
    const { rows, total } = await answerHistory.page(id, questionId, page);
    if (total === 0 && !(await answers.find(id, questionId))) throw unknownQuestion();
    return { items: rows.map(serializeAnswerHistoryEntry), total };
  }

  const orPresent = <Result>(req: Request, res: Response, work: Promise<Result>): Promise<Result> =>
    orPreconditionFailed(work, async (present: Detail) =>
      changedMeanwhile(await detailResponse(dependencies, req, res, present)),
    );

  async function requireDetail(req: Request, res: Response): Promise<Detail> {
    const detail = await details.get(readId(req.params.id), principalOf(res).userId);
    await requireGrader(teaching, principalOf(res), detail.itemCourseId);
    return detail;
  }

  /** Loads the caller's name if the projection lacks it, because the response and the history contain it. */
  async function withCallerName(detail: Detail, userId: number): Promise<Detail> {
    if (detail.callerName !== null) return detail;
    await userProjection.ensureLoaded([userId]);
    return (await details.find(detail.id, userId)) ?? detail;
  }

  async function requireSubmission(req: Request, res: Response): Promise<number> {
    const id = readId(req.params.id);
    const item = await details.itemOf(id);
    if (!item) throw notFound();
    await requireGrader(teaching, principalOf(res), item.courseId);
    return id;
  }

  return router;
}
