/**
 * Reads a query page by page until a page is empty. Each page starts after the last row of the previous one (keyset
 * pagination). `selectAfter` gets undefined for the first page.
 */
export async function* keysetPages<Row extends object>(
  selectAfter: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await selectAfter(last);
    last = rows.at(-1);
    if (!last) return;
    yield rows;
  }
}
