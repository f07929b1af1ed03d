import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Column, DataTable } from './DataTable.tsx';
import { type ListPage, PagedList } from './PagedList.tsx';

interface Props<T> {
  list: UseQueryResult<ListPage<T>>;
  /** Shown when the list has no entries. */
  empty: ReactNode;
  label: string;
  columns: Column<T>[];
  actions?: ((row: T) => ReactNode) | undefined;
}

/** Shows one page of a list as a table. Headings sort a list that has a single page: sorting one of several would mislead. */
export function PagedTable<T extends { id: number }>({ list, empty, label, columns, actions }: Props<T>) {
  return (
    <PagedList list={list} empty={empty}>
      {(rows) => (
        <DataTable
          label={label}
          rows={rows}
          keyOf={({ id }) => id}
          columns={list.data?.meta.last_page === 1 ? columns : columns.map(withoutSorting)}
          actions={actions}
        />
      )}
    </PagedList>
  );
}

const withoutSorting = <T,>({ sortBy: _, ...column }: Column<T>): Column<T> => column;
