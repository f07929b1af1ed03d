export const maxPageSize = 200;

/** Loads all pages of a list. Courses and items are few; submissions are loaded page by page. */
export async function readAll<T>(
  readPage: (page: number) => Promise<{ data: T[]; meta: { last_page: number } }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = await readPage(page);
    all.push(...data);
    if (page >= meta.last_page) return all;
  }
}
