import { principalOf, requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { limitOf, mayUseCourse } from '@gradeway/shared/auth/courseLimit';
import { graderRoles } from '@gradeway/shared/auth/roles';
import { notFound } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { linkedList, longPage, readPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { type Request, type Response, Router } from 'express';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { TeachingDependencies } from '../dependencies.ts';
import { courseRoleOf } from '../domain/courseRole.ts';
import { createComment } from '../domain/createComment.ts';
import { requireCommentCourse } from '../domain/requireCommentCourse.ts';
import { commentChanges, commentFields, commentFilter } from './schemas.ts';
import { commentView } from './serializers.ts';

const path = '/api/v3/grading/comments';

/** Routes for a grader's comment bank. The comments of other graders result in a 404. */
export function commentRoutes(dependencies: ServiceDependencies, teaching: TeachingDependencies): Router {
  const { publicUrl } = dependencies;
  const { comments } = teaching;
  const all = { ...dependencies, ...teaching };
  const router = Router();
  const grader = requireRoleInCourses(dependencies.verify, graderRoles);

  router.get(path, grader, async (req, res) => {
    const page = readPage(req.query, longPage);
    const { search, course_id: courseId } = parseInput(commentFilter, req.query);
    const principal = principalOf(res);
    const isForeign = courseId !== undefined && !(await courseRoleOf(all, principal, courseId));
    const { rows, total } = isForeign
      ? { rows: [], total: 0 }
      : await comments.page(principal.userId, { search, courseId, onlyOf: limitOf(principal) }, page);
    res.json(linkedList({ url: publicUrl.of(req), page, items: rows.map(commentView), total }));
  });

  router.post(path, grader, jsonBody, async (req, res) => {
    const created = await createComment(all, principalOf(res), parseInput(commentFields, req.body));
    res.status(201).json({ data: commentView(created) });
  });

  router.patch(`${path}/:id`, grader, jsonBody, async (req, res) => {
    // Runs before the body is validated, so that an unknown comment is a 404 even if the body is invalid.
    const [id, principal] = [await requireOwn(req, res), principalOf(res)];
    const changes = parseInput(commentChanges, req.body);
    await requireCommentCourse(all, principal, changes.courseId);
    const changed = await comments.update(id, principal.userId, changes);
    if (!changed) throw notFound();
    res.json({ data: commentView(changed) });
  });

  router.delete(`${path}/:id`, grader, async (req, res) => {
    if (!(await comments.delete(await requireOwn(req, res), principalOf(res).userId))) throw notFound();
    res.status(204).end();
  });

  router.post(`${path}/:id/use`, grader, async (req, res) => {
    if (!(await comments.countUse(await requireOwn(req, res), principalOf(res).userId))) throw notFound();
    res.status(204).end();
  });

  /** Returns the id of a comment of the caller, unless the token gives no access to the comment's course. */
  async function requireOwn(req: Request, res: Response): Promise<number> {
    const principal = principalOf(res);
    const comment = await comments.find(readId(req.params.id), principal.userId);
    if (!comment || (comment.courseId !== null && !mayUseCourse(principal, comment.courseId)))
      throw notFound();
    return comment.id;
  }

  return router;
}
