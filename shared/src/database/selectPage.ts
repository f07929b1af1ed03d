import { offsetOf, type Page } from '../http/pagination.ts';
import type { ListReads } from './listReads.ts';

export interface SelectedPage<Row> {
  rows: Row[];
  /** The number of rows on all pages. */
  total: number;
}

/** Selects one page of a list. A page past the end is empty and needs no query. */
export async function selectPage<Row>(
  page: Page,
  total: number,
  select: (limit: number, offset: number) => Promise<Row[]>,
): Promise<SelectedPage<Row>> {
  const offset = offsetOf(page, total);
  return { rows: offset === undefined ? [] : await select(page.size, offset), total };
}

/** The statements of a list: `count` returns its `total`, and `page` ends with the parameters of its limit and its offset. */
interface PagedList {
  /** Unique, as the statements are prepared under it. */
  name: string;
  count: string;
  page: string;
  values: unknown[];
}

/** Reads one page of a list, with the number of all its rows, from one snapshot. */
export const readPageOf = <Row extends object>(
  lists: ListReads,
  { name, count, page: sql, values }: PagedList,
  page: Page,
): Promise<SelectedPage<Row>> =>
  lists.read(async (select) => {
    const [counted] = await select<{ total: number }>({ name: `number of ${name}`, sql: count, values });
    return selectPage(page, counted?.total ?? 0, (limit, offset) =>
      select<Row>({ name, sql, values: [...values, limit, offset] }),
    );
  });
