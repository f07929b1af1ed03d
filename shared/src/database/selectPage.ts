import { offsetOf, type Page } from '../http/pagination.ts';

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
