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
  actions?: (row: T) => ReactNode;
}

/** Shows one page of a list as a table. */
export function PagedTable<T extends { id: number }>({ list, empty, label, columns, actions }: Props<T>) {
  return (
    <PagedList list={list} empty={empty}>
      {(rows) => (
        <DataTable label={label} rows={rows} keyOf={({ id }) => id} columns={columns} actions={actions} />
      )}
    </PagedList>
  );
}
