import { z } from 'zod';
import { integerText, parseInput } from './validation.ts';

/** The requested page of a list. */
export interface Page {
  /** Starts at 1. */
  number: number;
  size: number;
}

/** The page sizes of most lists. */
export const standardPage = { size: 15, max: 100 };
/** The page sizes of histories. */
export const historyPage = { size: 50, max: 100 };
/** The page sizes of lists that people work through, such as rosters and queues. */
export const longPage = { size: 50, max: 200 };

interface Limits {
  /** Default of `per_page`. */
  size: number;
  /** Maximum of `per_page`; larger values are reduced to it. */
  max: number;
  /** `message` of the 422 response. */
  message?: string;
}

const digits = integerText(1);

const newPageSchema = (size: number) => z.object({ page: digits.default(1), per_page: digits.default(size) });

// zod compiles a schema on first use, which costs more than the rest of a small page. The sizes are constants.
const pageSchemas = new Map<number, ReturnType<typeof newPageSchema>>();

/** The schema of `page` and `per_page`, cached by the default of `per_page`. */
export function pageSchema(size: number): ReturnType<typeof newPageSchema> {
  const schema = pageSchemas.get(size) ?? newPageSchema(size);
  pageSchemas.set(size, schema);
  return schema;
}

/**
 * Reads `page` and `per_page` (D5).
 * @throws AppError `invalid` if one of them is not an integer of at least 1
 */
export function readPage(query: unknown, { size, max, message }: Limits): Page {
  const { page, per_page } = parseInput(pageSchema(size), query, message);
  return { number: page, size: Math.min(per_page, max) };
}

/** Number of rows before the page; undefined if the page is past the end, so no query is needed. */
export function offsetOf(page: Page, total: number): number | undefined {
  const offset = (page.number - 1) * page.size;
  return offset < total ? offset : undefined;
}

interface Position {
  current: number;
  last: number;
  from: number | null;
  to: number | null;
}

function positionOf(page: Page, count: number, total: number): Position {
  const from = count === 0 ? null : (page.number - 1) * page.size + 1;
  return {
    current: page.number,
    last: Math.max(1, Math.ceil(total / page.size)),
    from,
    to: from === null ? null : from + count - 1,
  };
}

interface Urls {
  path: string;
  first: string;
  last: string;
  prev: string | null;
  next: string | null;
}

// For a page past the end, the previous page is the last existing one.
function urlsOf(url: URL, { current, last }: Position): Urls {
  const path = `${url.origin}${url.pathname}`;
  const at = (number: number): string => {
    const query = new URLSearchParams(url.searchParams);
    query.set('page', String(number));
    return `${path}?${query}`;
  };
  return {
    path,
    first: at(1),
    last: at(last),
    prev: current > 1 ? at(Math.min(current - 1, last)) : null,
    next: current < last ? at(current + 1) : null,
  };
}

interface List<Item> {
  /** URL of the request, including its query. */
  url: URL;
  page: Page;
  items: Item[];
  total: number;
}

/** Envelope of all lists except the homework list: `data`, `links`, `meta`. */
export function linkedList<Item>({ url, page, items, total }: List<Item>) {
  const position = positionOf(page, items.length, total);
  const { first, last, prev, next } = urlsOf(url, position);
  return {
    data: items,
    links: { first, last, prev, next },
    meta: {
      current_page: position.current,
      from: position.from,
      last_page: position.last,
      per_page: page.size,
      to: position.to,
      total,
    },
  };
}

/** Envelope of the quiz list: like {@link linkedList}, with `meta.path` (specification, "Pagination envelopes"). */
export function linkedListWithPath<Item>(list: List<Item>) {
  const { meta, ...envelope } = linkedList(list);
  return { ...envelope, meta: { ...meta, path: `${list.url.origin}${list.url.pathname}` } };
}

/** Envelope of the homework list: all fields at the top level. */
export function flatList<Item>({ url, page, items, total }: List<Item>) {
  const position = positionOf(page, items.length, total);
  const { path, first, last, prev, next } = urlsOf(url, position);
  return {
    current_page: position.current,
    data: items,
    first_page_url: first,
    from: position.from,
    last_page: position.last,
    last_page_url: last,
    next_page_url: next,
    path,
    per_page: page.size,
    prev_page_url: prev,
    to: position.to,
    total,
  };
}
