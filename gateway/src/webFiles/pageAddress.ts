import { weightedValues } from './weightedValues.ts';

/** The first segments of addresses that are never pages of the application, whether or not they exist. */
const reserved = new Set(['api', 'assets', 'docs', 'livez', 'metrics', 'readyz', 'session']);

/**
 * Whether a path that is not a file may be a page of the application, which decides itself whether the page exists. Segments
 * that begin with a dot (`/.well-known`, `/.env`) and paths that a browser would normalize or encode (`//`, `..`, `%2f`) may not.
 */
export function isPageAddress(path: string): boolean {
  const segments = decode(path)?.slice(1) ?? [];
  const [first = ''] = segments;
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return segments.length > 0 && segments.every(isPlain) && !reserved.has(first.toLowerCase());
}

/** Whether the client explicitly accepts HTML. A wildcard does not count: programs send it with every request. */
export const acceptsPages = (accept: string | undefined): boolean =>
  (weightedValues(accept).get('text/html') ?? 0) > 0;

function decode(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

// No control characters, either.
const isPlain = (segment: string): boolean => /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(segment);
