import type { Request } from 'express';
import { AppError } from '../errors/appError.ts';
import { ChangedMeanwhile } from './changedMeanwhile.ts';
import type { RubricCondition } from './changeRubric.ts';
import { readIfMatch } from './entityTags.ts';

/** The states that a request accepts. @throws AppError 428 without `If-Match` */
export function requireIfMatch(req: Request): string[] | 'any' {
  const expected = readIfMatch(req.get('if-match'));
  if (expected === undefined) throw preconditionRequired();
  return expected;
}

/** The state of a rubric that a request accepts. @throws AppError 428 with neither `If-Match` nor `If-None-Match: *` */
export function requireRubricCondition(req: Request): RubricCondition {
  const expected = readIfMatch(req.get('if-match'));
  if (expected !== undefined) return { isNew: false, expected };
  if (req.get('if-none-match')?.trim() === '*') return { isNew: true };
  throw preconditionRequired();
}

const preconditionRequired = () => new AppError('precondition_required', 'Precondition Required');

/**
 * Runs a use case, and returns 412 with the current state when it is not the expected one.
 * @param serialize the current state with its tag
 */
export async function orChangedMeanwhile<Result, State>(
  work: Promise<Result>,
  serialize: (present: State) => Promise<{ data: unknown; tag: string | undefined }>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error;
    const { data, tag } = await serialize(error.present as State);
    const headers: Record<string, string> = tag === undefined ? {} : { ETag: tag };
    throw new AppError('precondition_failed', 'Changed meanwhile', { data, headers });
  }
}
