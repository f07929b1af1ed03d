import type { Request } from 'express';

/**
 * The entity tags that `If-Match` lists (RFC 9110 §13.1.1); undefined when any state is accepted, without the header
 * or with `*`. Weak tags are returned as well and equal no strong one.
 */
export function expectedTags(req: Request): string[] | undefined {
  const header = req.get('if-match');
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').map((tag) => tag.trim());
}
