import type { Request, Response } from 'express';
import { principalOf } from '../auth/authenticate.ts';
import { forbidden, notFound } from '../errors/appError.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import type { GradedItem } from '../grading/queuedItem.ts';
import { requireGrader } from '../grading/teaching.ts';
import { readId } from '../http/pathId.ts';
import type { CourseRole } from '../teaching/teachingClient.ts';

type Dependencies = Pick<GraderDependencies, 'queue' | 'teaching'>;

/**
 * Finds the item that a path names, in one of the caller's courses, with the caller's role there.
 * @throws AppError `not_found`
 */
export async function itemOfPath(
  { queue, teaching }: Dependencies,
  req: Request,
  res: Response,
): Promise<GradedItem & { role: CourseRole }> {
  const item = await queue.findItem(readId(req.params.item_id));
  if (!item) throw notFound();
  return { ...item, role: await requireGrader(teaching, principalOf(res), item.courseId) };
}

/**
 * Finds the item that a path names, in a course that the caller runs.
 * @throws AppError `not_found`, or `forbidden` for a grader
 */
export async function requireTeachersItem(
  dependencies: Dependencies,
  req: Request,
  res: Response,
): Promise<GradedItem> {
  const { role, ...item } = await itemOfPath(dependencies, req, res);
  if (role !== 'teacher') throw forbidden();
  return item;
}
