import type { Request } from 'express';
import { AppError } from '../errors/appError.ts';
import { readIfMatch } from '../http/ifMatch.ts';
import { ChangedMeanwhile } from './changedMeanwhile.ts';
import type { RubricCondition } from './changeRubric.ts';

/** Returns the states that a request accepts. @throws AppError 428 without `If-Match` */
export function requireIfMatch(req: Request): string[] | 'any' {
  const expected = readIfMatch(req);
  if (expected === undefined) throw preconditionRequired();
  return expected;
}

/** Returns the state of a rubric that a request accepts. @throws AppError 428 with neither `If-Match` nor `If-None-Match: *` */
export function requireRubricCondition(req: Request): RubricCondition {
  const expected = readIfMatch(req);
  if (expected !== undefined) return { isNew: false, expected };
  if (req.get('if-none-match')?.trim() === '*') return { isNew: true };
  throw preconditionRequired();
}

const preconditionRequired = () => new AppError('precondition_required', 'Precondition Required');

/**
 * Runs a use case. If the current state is not one of the expected states, throws the error for the response.
 * @param toError returns this error for the current state
 */
export async function orPreconditionFailed<Result, State>(
  work: Promise<Result>,
  toError: (present: State) => Promise<AppError>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ChangedMeanwhile ? await toError(error.present as State) : error;
  }
}

/** 412 on the endpoints for graders, with the current state and its tag. */
export const changedMeanwhile = ({ data, tag }: { data: unknown; tag?: string }): AppError =>
  new AppError('precondition_failed', 'Changed meanwhile', {
    reason: 'changed_meanwhile',
    data,
    headers: tag ? { ETag: tag } : {},
  });
