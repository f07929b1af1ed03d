import type { Request } from 'express';

/**
 * Returns the entity tags listed in `If-Match` (RFC 9110 §13.1.1): `any` for `*`, undefined without the header. Weak tags are
 * included but match no strong tag.
 */
export function readIfMatch(req: Pick<Request, 'get'>): string[] | 'any' | undefined {
  const header = req.get('if-match');
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  return header.split(',').map((tag) => tag.trim());
}
