/**
 * The pages of a list with cursor pagination. A page can be reached only through the previous one, so the list stores
 * the cursors of the pages seen so far: these can be reloaded at any time, and pages out of view can be dropped.
 */
export interface CursorPages {
  /** The cursor at which each known page starts; null for the first page. */
  cursors: (string | null)[];
  /** The number of rows of each page when it was last loaded. */
  lengths: (number | undefined)[];
  /** Whether the last known page is the last page of the list. */
  isComplete: boolean;
}

export const firstPage: CursorPages = { cursors: [null], lengths: [], isComplete: false };

/** Updates the pages with a response for one of them. `next` is the `links.next` of the response. */
export function withPage(
  pages: CursorPages,
  index: number,
  length: number,
  next: string | null,
): CursorPages {
  if (pages.cursors[index] === undefined) return pages;
  const isLast = index === pages.cursors.length - 1;
  const cursor = next === null ? null : new URL(next).searchParams.get('cursor');
  const isKnown = isLast ? pages.isComplete && cursor === null : pages.cursors[index + 1] === cursor;
  if (pages.lengths[index] === length && isKnown) return pages;
  // When a page ends at a different row than before, the pages after it start at different rows too.
  const kept =
    !isLast && pages.cursors[index + 1] === cursor ? pages.cursors : pages.cursors.slice(0, index + 1);
  const cursors = cursor !== null && kept.length === index + 1 ? [...kept, cursor] : kept;
  const lengths = cursors.map((_, each) => (each === index ? length : pages.lengths[each]));
  return { cursors, lengths, isComplete: cursor === null };
}

/** Returns how many rows are known to exist. A page that was not loaded counts as one row, enough to scroll to it. */
export function knownRows({ cursors, lengths }: CursorPages): number {
  return cursors.reduce((sum, _, index) => sum + (lengths[index] ?? 1), 0);
}

/** Locates rows: returns their page and the position of the page's first row. */
export function pagesOfRows(
  { cursors, lengths }: CursorPages,
  start: number,
  end: number,
): { index: number; cursor: string | null; first: number }[] {
  const found: { index: number; cursor: string | null; first: number }[] = [];
  let first = 0;
  for (const [index, cursor] of cursors.entries()) {
    const length = lengths[index] ?? 1;
    if (first < end && first + length > start) found.push({ index, cursor, first });
    first += length;
  }
  return found;
}
