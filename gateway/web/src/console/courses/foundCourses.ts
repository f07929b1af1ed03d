import type { ListPage } from '../../shared/list/PagedList.tsx';

const pageSize = 15;

/** Returns a page of the courses whose title contains the text, ignoring case. */
export function foundCourses<T extends { title: string }>(
  all: T[],
  search: string,
  page: number,
): ListPage<T> {
  const wanted = search.toLocaleLowerCase();
  const found = all.filter(({ title }) => title.toLocaleLowerCase().includes(wanted));
  const first = (page - 1) * pageSize;
  return {
    data: found.slice(first, first + pageSize),
    meta: {
      current_page: page,
      last_page: Math.max(1, Math.ceil(found.length / pageSize)),
      total: found.length,
    },
  };
}
