import { type Request, type RequestHandler, type Response, Router } from 'express';
import { principalOf } from '../../auth/authenticate.ts';
import { AppError, notFound } from '../../errors/appError.ts';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import { countClaim } from '../../grading/gradingMetrics.ts';
import { answerGradingSchema } from '../../grading/gradingSchema.ts';
import { changedMeanwhile, orPreconditionFailed, requireIfMatch } from '../../grading/preconditions.ts';
import { claimQuery, parseBody } from '../../grading/schemas.ts';
import { serializeAnswer, serializeClaim } from '../../grading/serializers.ts';
import { requireGrader } from '../../grading/teaching.ts';
import { readIdempotencyKey } from '../../http/idempotencyKey.ts';
import { jsonBody } from '../../http/jsonBody.ts';
import { readId } from '../../http/pathId.ts';
import { parseInput } from '../../http/validation.ts';
import { type Answer, answerTag } from '../answer.ts';
import { gradeAnswer, ungradeAnswer } from '../gradeAnswer.ts';

/** Routes of the answer of a submission to a question: its grading and its claim. */
export function answerRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, answers, answerClaims, details, teaching, userProjection } = dependencies;
  const path = `/api/v3/grading/${kind.name}/submissions/:id/questions/:question_id`;
  const router = Router();

  router.put(path, grader, jsonBody, async (req, res) => {
    const { userId } = principalOf(res);
    const answer = await requireAnswer(req, res);
    const expected = requireIfMatch(req);
    const given = parseBody(answerGradingSchema, req.body);
    await userProjection.ensureLoaded([userId]);
    const key = readIdempotencyKey(req, userId, { ...given, ifMatch: req.get('if-match') });
    const graded = await orPresent(gradeAnswer(dependencies, answer, given, userId, { expected, key }));
    res.set('ETag', graded.tag).json({ data: serializeAnswer(graded.answer) });
  });

  router.delete(path, grader, async (req, res) => {
    const { userId } = principalOf(res);
    const answer = await requireAnswer(req, res);
    const expected = requireIfMatch(req);
    await userProjection.ensureLoaded([userId]);
    await orPresent(ungradeAnswer(dependencies, answer, userId, expected));
    res.status(204).end();
  });

  router.put(`${path}/claim`, grader, async (req, res) => {
    const answer = await requireAnswer(req, res);
    const { take } = parseInput(claimQuery, req.query);
    const { userId } = principalOf(res);
    await userProjection.ensureLoaded([userId]);
    const claim = await answerClaims.claim(answer, userId, take);
    const data = serializeClaim(claim);
    countClaim(claim.userId !== userId ? 'refused' : take ? 'taken' : 'claimed');
    if (claim.userId !== userId)
      throw new AppError('conflict', 'Claimed by another grader', { reason: 'claimed', data });
    res.json({ data });
  });

  router.delete(`${path}/claim`, grader, async (req, res) => {
    const { submissionId, questionId } = await requireAnswer(req, res);
    await answerClaims.release(submissionId, questionId, principalOf(res).userId);
    res.status(204).end();
  });

  const orPresent = <Result>(work: Promise<Result>): Promise<Result> =>
    orPreconditionFailed(work, async (present: Answer) =>
      changedMeanwhile({ data: serializeAnswer(present), tag: answerTag(present) }),
    );

  /** @throws AppError `not_found` */
  async function requireAnswer(req: Request, res: Response) {
    const [submissionId, questionId] = [readId(req.params.id), readId(req.params.question_id)];
    const item = await details.itemOf(submissionId);
    if (!item) throw notFound();
    await requireGrader(teaching, principalOf(res), item.courseId);
    if (!(await answers.find(submissionId, questionId))) throw notFound();
    return { itemId: item.itemId, submissionId, questionId };
  }

  return router;
}
