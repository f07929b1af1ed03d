/** Returns the URL of a file on the current page's host. Its signature grants access without a token. */
export function fileAddress(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
