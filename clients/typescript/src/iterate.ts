interface Page {
  data: unknown[] | { students: unknown[] };
  /** Of the list of homework. */
  next_page_url?: string | null;
  /** Of all other lists. */
  links?: { next: string | null };
}

/**
 * All rows of a list, page by page. The three kinds of pages (numbered with all fields at the top level, numbered with
 * `links` and `meta`, and by cursor) differ only in how they refer to the next page.
 */
export async function* iterate(
  readPage: (position: Record<string, string>) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  let position = {};
  for (;;) {
    const { data, next_page_url, links } = (await readPage(position)) as Page;
    // The rows of the gradebook as a grid.
    yield* Array.isArray(data) ? data : data.students;
    const next = links ? links.next : next_page_url;
    if (!next) return;
    position = positionIn(next);
  }
}

// Only the position is read from the link: its host may not be the one through which this client reaches the server.
function positionIn(link: string): Record<string, string> {
  const { searchParams } = new URL(link, 'http://localhost');
  return Object.fromEntries([...searchParams].filter(([name]) => name === 'page' || name === 'cursor'));
}
