/**
 * Reads a query page by page, each starting after the last row of the previous one (keyset pagination), until a page is
 * empty. `selectAfter` gets undefined for the first page.
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
