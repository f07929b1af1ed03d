import type { Request, Response } from 'express';
import { type AppError, notFound } from '../errors/appError.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import { changedMeanwhile, orPreconditionFailed } from '../grading/preconditions.ts';
import { itemTag } from './managedItem.ts';
import { serializeManagedItem } from './serializeManagedItem.ts';

type Dependencies = Pick<
  GraderDependencies,
  'kind' | 'queue' | 'courseTitles' | 'countStudents' | 'fileUrls' | 'timeZone'
>;

/**
 * Returns the Item of the API for teachers, with its entity tag. The properties that come from courses are null while
 * courses is unreachable.
 * @throws AppError `not_found` when the item was removed
 */
export async function itemResponse(dependencies: Dependencies, req: Request, itemId: number) {
  const { kind, queue, courseTitles, countStudents, fileUrls, timeZone } = dependencies;
  const item = await queue.describe(itemId);
  if (!item) throw notFound();
  const [titles, students] = await Promise.all([
    courseTitles([item.courseId]).catch(() => undefined),
    countStudents(item.courseId).catch(() => null),
  ]);
  const courseTitle = titles?.get(item.courseId) ?? null;
  const data = serializeManagedItem(item, {
    kind: kind.name,
    courseTitle,
    students,
    timeZone,
    urls: fileUrls(req),
  });
  return { data, tag: itemTag({ ...item, totalGrade: item.ownTotal }) };
}

/** Sends an item with its entity tag. */
export async function sendItem(
  dependencies: Dependencies,
  req: Request,
  res: Response,
  itemId: number,
): Promise<void> {
  const { data, tag } = await itemResponse(dependencies, req, itemId);
  res.set('ETag', tag).json({ data });
}

/** Runs a change to an item. If the item is not in one of the expected states, throws 412 with its current state. */
export const orPresentItem = <Result>(
  dependencies: Dependencies,
  req: Request,
  itemId: number,
  work: Promise<Result>,
): Promise<Result> =>
  orPreconditionFailed(
    work,
    async (): Promise<AppError> => changedMeanwhile(await itemResponse(dependencies, req, itemId)),
  );
