/** First segments of paths that are never pages of the application, whether or not the path exists. */
const reserved = new Set(['api', 'assets', 'docs', 'livez', 'metrics', 'readyz', 'session']);

/**
 * Whether a path that is not a file may be a page of the application, which itself decides whether the page exists. Excludes
 * segments that begin with a dot (`/.well-known`, `/.env`) and paths that browsers normalize or encode (`//`, `..`, `%2f`).
 */
export function isPageAddress(path: string): boolean {
  const segments = decode(path)?.slice(1) ?? [];
  const [first = ''] = segments;
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return segments.length > 0 && segments.every(isPlain) && !reserved.has(first.toLowerCase());
}

function decode(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

const isPlain = (segment: string): boolean => /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u.test(segment);
