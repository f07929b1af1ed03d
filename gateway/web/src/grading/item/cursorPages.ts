/**
 * The pages of a list that is read by cursor. A page is found only through the one before it, so the list knows the cursors of
 * the pages that have been seen: these can be read again at any time, and pages out of sight can be dropped.
 */
export interface CursorPages {
  /** The cursor with which each known page begins; null for the first. */
  cursors: (string | null)[];
  /** How many rows each page had when it was read last. */
  lengths: (number | undefined)[];
  /** Whether the last known page is the last of all. */
  isComplete: boolean;
}

export const firstPage: CursorPages = { cursors: [null], lengths: [], isComplete: false };

/** The pages after an answer for one of them. `next` is the `links.next` of the answer. */
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
  // When a page now ends elsewhere, those after it begin elsewhere too.
  const kept =
    !isLast && pages.cursors[index + 1] === cursor ? pages.cursors : pages.cursors.slice(0, index + 1);
  const cursors = cursor !== null && kept.length === index + 1 ? [...kept, cursor] : kept;
  const lengths = cursors.map((_, each) => (each === index ? length : pages.lengths[each]));
  return { cursors, lengths, isComplete: cursor === null };
}

/** How many rows are known to exist. A page that has not been read counts as one row, which is enough to scroll to it. */
export function knownRows({ cursors, lengths }: CursorPages): number {
  return cursors.reduce((sum, _, index) => sum + (lengths[index] ?? 1), 0);
}

/** Where rows are: their page, and the position of the page's first row. */
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
