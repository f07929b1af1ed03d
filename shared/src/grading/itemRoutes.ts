import { type Request, type RequestHandler, type Response, Router } from 'express';
import { principalOf } from '../auth/authenticate.ts';
import { narrowedTo } from '../auth/courseLimit.ts';
import { jsonBody } from '../http/jsonBody.ts';
import { linkedList, longPage, readPage } from '../http/pagination.ts';
import { parseInput } from '../http/validation.ts';
import { itemOfPath } from '../items/itemOfPath.ts';
import type { Answer } from '../questions/answer.ts';
import { unknownQuestion } from '../questions/answerQueueRepository.ts';
import type { GraderDependencies } from './dependencies.ts';
import { detailResponse } from './detailResponse.ts';
import { countClaim } from './gradingMetrics.ts';
import { formatCursor, parseCursor } from './queueCursor.ts';
import { itemFilter, nextSchema, parseBody, queueQuery } from './schemas.ts';
import { serializeAnswer, serializeItem, serializeRow, serializeStatistics } from './serializers.ts';
import { coursesOfGrader } from './teaching.ts';

/**
 * Returns the id of the item that a path names, in one of the caller's courses.
 * @throws AppError `not_found`
 */
export const requireItem = async (
  dependencies: Pick<GraderDependencies, 'queue' | 'teaching'>,
  req: Request,
  res: Response,
): Promise<number> => (await itemOfPath(dependencies, req, res)).id;

/** Routes of the items to grade: their list, the queue of each, the next submission, and statistics. */
export function itemRoutes(dependencies: GraderDependencies, grader: RequestHandler): Router {
  const { kind, queue, claims, answerQueue, answerClaims, answerStatistics, details, statistics } =
    dependencies;
  const { outlines, teaching, publicUrl, userProjection } = dependencies;
  const base = `/api/v3/grading/${kind.name}`;
  const router = Router();

  router.get(base, grader, async (req, res) => {
    const page = readPage(req.query, longPage);
    const { course_id: courseId, state } = parseInput(itemFilter, req.query);
    const { rows, total } = await queue.items(await filteredCourses(res, courseId), state, page);
    const titles = await dependencies.courseTitles([...new Set(rows.map((item) => item.courseId))]);
    const items = rows.map((item) => serializeItem(item, titles.get(item.courseId) ?? null));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.get(`${base}/:item_id/submissions`, grader, async (req, res) => {
    const item = await itemOfPath(dependencies, req, res);
    const { per_page, cursor, question_id: questionId, ...given } = parseInput(queueQuery, req.query);
    await requireQuestion(item.id, questionId);
    const filter = { ...given, questionId };
    const after = parseCursor(item, filter, cursor);
    const size = Math.min(per_page, longPage.max);
    // Reads one row more than the page holds, to determine whether another page follows.
    const { rows, totals } =
      questionId === undefined
        ? await queue.page(item, filter, after, size + 1)
        : await answerQueue.page(item, questionId, filter, after, size + 1);
    const page = rows.slice(0, size);
    const last = rows.length > size ? page.at(-1) : undefined;
    const next = publicUrl.of(req);
    if (last) next.searchParams.set('cursor', formatCursor(item.id, filter, last));
    res.json({
      data: page.map((row) => ({
        ...serializeRow(row, kind),
        ...('answer' in row && { answer: serializeAnswer(row.answer as Answer) }),
      })),
      links: { next: last ? next.href : null },
      meta: { per_page: size, total: totals.submissions, graded: totals.graded },
    });
  });

  router.post(`${base}/:item_id/next`, grader, jsonBody, async (req, res) => {
    const item = await itemOfPath(dependencies, req, res);
    const { skip, questionId } = parseBody(nextSchema, req.body);
    await requireQuestion(item.id, questionId);
    const { userId } = principalOf(res);
    await userProjection.ensureLoaded([userId]);
    const answer = item.hasQuestions
      ? await answerClaims.next(item, questionId, userId, skip)
      : { submissionId: await claims.next(item, userId, skip), questionId: undefined };
    const detail = answer?.submissionId && (await details.find(answer.submissionId, userId));
    countClaim(detail ? 'next' : 'empty');
    if (!detail) {
      res.status(204).end();
      return;
    }
    const { data, tag } = await detailResponse(dependencies, req, res, detail);
    res.set('ETag', tag).json({ data: { ...data, next_question_id: answer.questionId } });
  });

  router.get(`${base}/:item_id/statistics`, grader, async (req, res) => {
    const itemId = await requireItem(dependencies, req, res);
    const questions = await answerStatistics.of(itemId);
    res.json({ data: serializeStatistics(await statistics.of(itemId), questions) });
  });

  /** @throws AppError `invalid` for a question that the item does not have */
  async function requireQuestion(itemId: number, questionId: number | undefined): Promise<void> {
    if (questionId !== undefined && !(await outlines.hasQuestion(itemId, questionId)))
      throw unknownQuestion();
  }

  /** Returns the courses to list; undefined for all. A course that the caller does not grade has no items. */
  async function filteredCourses(res: Response, courseId: number | undefined): Promise<number[] | undefined> {
    return narrowedTo(await coursesOfGrader(teaching, principalOf(res)), courseId);
  }

  return router;
}
