import type { Request, Response } from 'express';
import { principalOf } from '../auth/authenticate.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import type { Detail } from '../grading/detailRepository.ts';
import type { GradedKind } from '../grading/gradedKind.ts';
import { readId } from '../http/pathId.ts';

/** The path of students' own submissions. */
export const ownSubmissionPath = ({ service }: Pick<GradedKind, 'service'>): string =>
  `/api/v3/${service === 'quiz' ? 'quiz' : 'homeworks'}/submissions`;

/**
 * Finds the submission that a path names, which must be the caller's own. The result contains gradings that students
 * may not see.
 * @throws AppError `not_found`
 */
export async function ownSubmission(
  { kind, details }: Pick<GraderDependencies, 'kind' | 'details'>,
  req: Request,
  res: Response,
): Promise<Detail> {
  const detail = await details.findWithNames(readId(req.params.id));
  if (detail?.studentId !== principalOf(res).userId) throw kind.specification.notFound();
  return detail;
}
