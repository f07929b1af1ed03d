/** The address of a file on the host that the page is on. Its signature opens it without a token. */
export function fileAddress(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
