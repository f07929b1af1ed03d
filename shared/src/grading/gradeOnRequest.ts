import type { Request } from 'express';
import { preconditionFailed } from '../errors/appError.ts';
import { readIdempotencyKey } from '../http/idempotencyKey.ts';
import { readIfMatch } from '../http/ifMatch.ts';
import type { GraderDependencies } from './dependencies.ts';
import { gradeBySpecification, type SpecifiedGrade } from './gradeBySpecification.ts';
import { orPreconditionFailed } from './preconditions.ts';

interface GradeRequest {
  given: SpecifiedGrade;
  /** Equal for repetitions of the same request. */
  content: object;
  /** Headline of a 422 response. */
  headline?: string;
  /** Returns the current object of the submission, for a 412 response. */
  present(): Promise<object>;
}

/**
 * Grades a submission under the `If-Match` and `Idempotency-Key` of a request to the specification's endpoints. Returns the
 * entity tag for the response.
 */
export function gradeOnRequest(
  dependencies: GraderDependencies,
  req: Request,
  { given, content, headline, present }: GradeRequest,
): Promise<string> {
  const key = readIdempotencyKey(req, given.gradedBy, { ...content, ifMatch: req.get('if-match') }, headline);
  const conditions = { expected: readIfMatch(req) ?? 'any', key } as const;
  const graded = gradeBySpecification(dependencies, given, conditions);
  return orPreconditionFailed(graded, async () => preconditionFailed(await present()));
}
