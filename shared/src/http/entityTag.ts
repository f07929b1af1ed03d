import type { Request } from 'express';

/** The `ETag` of a submission: it changes with each grading and each upload. */
export const entityTag = ({ revision, submittedAt }: { revision: number; submittedAt: Date }): string =>
  `"${revision}-${submittedAt.getTime().toString(36)}"`;

/**
 * Whether the state that `If-Match` names is the present one (RFC 9110 §13.1.1). Undefined asks for nothing; `*` is
 * any; a weak tag matches nothing.
 */
export function matches(condition: string | undefined, tag: string): boolean {
  if (condition === undefined || condition.trim() === '*') return true;
  return condition.split(',').some((each) => each.trim() === tag);
}

export const ifMatch = (req: Request): string | undefined => req.get('if-match');
