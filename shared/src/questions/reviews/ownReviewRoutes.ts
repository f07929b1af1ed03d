import { type Request, type Response, Router } from 'express';
import { principalOf, requireRole } from '../../auth/authenticate.ts';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import type { Detail } from '../../grading/detailRepository.ts';
import { jsonBody } from '../../http/jsonBody.ts';
import { linkedList, longPage, readPage } from '../../http/pagination.ts';
import { parseInput } from '../../http/validation.ts';
import { areGradesVisible } from '../../items/item.ts';
import { ownSubmission, ownSubmissionPath } from '../ownSubmission.ts';
import { openReview } from './openReview.ts';
import { reviewTag } from './review.ts';
import { newReviewSchema } from './reviewSchemas.ts';
import { serializeOwnReview } from './serializeReview.ts';

/** Students ask for reviews of their own submissions, and read them. */
export function ownReviewRoutes(dependencies: GraderDependencies): Router {
  const { kind, reviews, publicUrl } = dependencies;
  const student = requireRole(dependencies.verify, ['user']);
  const path = `${ownSubmissionPath(kind)}/:id/reviews`;
  const router = Router();

  router.post(path, student, jsonBody, async (req, res) => {
    const own = await ownSubmission(dependencies, req, res);
    const { id: submissionId, itemId } = own;
    const given = parseInput(newReviewSchema, req.body);
    const { userId } = principalOf(res);
    const review = await openReview(dependencies, {
      ...{ ...given, submissionId, itemId, userId, isByStudent: true },
    });
    res.status(201).set('ETag', reviewTag(review));
    res.json({ data: serializeOwnReview(review, isGradeShown(own)) });
  });

  router.get(path, student, async (req: Request, res: Response) => {
    const own = await ownSubmission(dependencies, req, res);
    const page = readPage(req.query, longPage);
    // Without visible grades, a review would show that there is a grading.
    const { rows, total } = areGradesVisible(own)
      ? await reviews.ofSubmission(own.id, page)
      : { rows: [], total: 0 };
    const items = rows.map((review) => serializeOwnReview(review, isGradeShown(own)));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  return router;
}

const isGradeShown = (own: Detail): boolean => own.grade !== null && areGradesVisible(own);
