import { useState } from 'react';
import { type SortOrder, sortRows } from './sortRows.ts';

interface Sortable<T> {
  name: string;
  sortBy?(row: T): string | number;
}

/** Sorts the rows of a table by the heading that was pressed last; pressing it again reverses the order. */
export function useSortedRows<T>(rows: T[], columns: Sortable<T>[]) {
  const [sorting, setSorting] = useState<{ name: string; order: SortOrder }>();
  const orderOf = (name: string) => (sorting?.name === name ? sorting.order : ('none' as const));
  const sortBy = columns.find(({ name }) => name === sorting?.name)?.sortBy;
  return {
    sorted: sorting && sortBy ? sortRows(rows, sortBy, sorting.order) : rows,
    orderOf,
    sort: (name: string) =>
      setSorting({ name, order: orderOf(name) === 'ascending' ? 'descending' : 'ascending' }),
  };
}
