/**
 * Returns the path of a file's signed URL, which names the public host. That may differ from this page's host. The
 * signature grants access without a token.
 */
export function filePath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
