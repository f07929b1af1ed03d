import type { Request } from 'express';

/**
 * Returns the entity tags listed in `If-Match` (RFC 9110 §13.1.1). Undefined if any state is accepted: without the
 * header, or with `*`. Weak tags are included but match no strong tag.
 */
export function expectedTags(req: Request): string[] | undefined {
  const header = req.get('if-match');
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').map((tag) => tag.trim());
}
