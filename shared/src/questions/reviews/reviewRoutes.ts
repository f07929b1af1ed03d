import { type Request, type RequestHandler, type Response, Router } from 'express';
import { principalOf } from '../../auth/authenticate.ts';
import { notFound } from '../../errors/appError.ts';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import { requireItem } from '../../grading/itemRoutes.ts';
import { changedMeanwhile, orPreconditionFailed, requireIfMatch } from '../../grading/preconditions.ts';
import { requireGrader } from '../../grading/teaching.ts';
import { jsonBody } from '../../http/jsonBody.ts';
import { linkedList, longPage, readPage } from '../../http/pagination.ts';
import { readId } from '../../http/pathId.ts';
import { parseInput } from '../../http/validation.ts';
import { closeReview } from './closeReview.ts';
import { openReview } from './openReview.ts';
import { reviewTag } from './review.ts';
import { closedReviewSchema, newReviewSchema, reviewFilter } from './reviewSchemas.ts';
import type { ReviewRow } from './reviewStatements.ts';
import { serializeReview } from './serializeReview.ts';

/** Reviews for graders: the list and the queue of an item, a review for a student, and the answer to one. */
export function reviewRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, details, reviews, teaching, publicUrl, userProjection } = dependencies;
  const base = `/api/v3/grading/${kind.name}`;
  const router = Router();

  router.get(`${base}/:item_id/reviews`, grader, async (req, res) => {
    const itemId = await requireItem(dependencies, req, res);
    const page = readPage(req.query, longPage);
    const { state } = parseInput(reviewFilter, req.query);
    const { rows, total } = await reviews.ofItem(itemId, state, page);
    const items = rows.map(serializeReview);
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.post(`${base}/:item_id/reviews/next`, grader, async (req, res) => {
    const itemId = await requireItem(dependencies, req, res);
    const id = await reviews.next(itemId, principalOf(res).userId);
    const review = id === undefined ? undefined : await reviews.find(id);
    if (review) send(res, review);
    else res.status(204).end();
  });

  router.post(`${base}/submissions/:id/reviews`, grader, jsonBody, async (req, res) => {
    const { userId } = principalOf(res);
    const submissionId = readId(req.params.id);
    const item = await details.itemOf(submissionId);
    if (!item) throw notFound();
    await requireGrader(teaching, principalOf(res), item.courseId);
    const given = parseInput(newReviewSchema, req.body);
    const review = { ...given, submissionId, itemId: item.itemId, userId, isByStudent: false };
    send(res.status(201), await openReview(dependencies, review));
  });

  router.put(`${base}/reviews/:id`, grader, jsonBody, async (req, res) => {
    const id = await requireReview(req, res);
    const expected = requireIfMatch(req);
    const { answer } = parseInput(closedReviewSchema, req.body);
    const { userId } = principalOf(res);
    await userProjection.ensureLoaded([userId]);
    const closed = closeReview(dependencies, id, answer, userId, expected);
    send(res, await orPresent(closed));
  });

  const orPresent = (work: Promise<ReviewRow>): Promise<ReviewRow> =>
    orPreconditionFailed(work, async (present: ReviewRow) =>
      changedMeanwhile({ data: serializeReview(present), tag: reviewTag(present) }),
    );

  async function requireReview(req: Request, res: Response): Promise<number> {
    const review = await reviews.find(readId(req.params.id));
    if (!review) throw notFound();
    await requireGrader(teaching, principalOf(res), review.itemCourseId);
    return review.id;
  }

  function send(res: Response, review: ReviewRow): void {
    res.set('ETag', reviewTag(review)).json({ data: serializeReview(review) });
  }

  return router;
}
